import { describe, expect, it } from 'vitest';
import { connectors, type Connector } from '@pulsewire/providers';
import { providerConfigFields, readProviderSettings } from './provider-settings.ts';

describe('provider settings', () => {
  it('are computed from the registry, secrets marked', () => {
    const fields = Object.values(providerConfigFields(connectors));
    const names = fields.map(({ env }) => env);
    expect(names).toEqual(
      expect.arrayContaining([
        'PROVIDER_FITBIT_CLIENT_ID',
        'PROVIDER_FITBIT_CLIENT_SECRET',
        'PROVIDER_FITBIT_API_BASE_URL',
        'PROVIDER_FITBIT_REVOKE_URL',
      ]),
    );
    expect(fields.filter(({ secret }) => secret).map(({ env }) => env)).toEqual(
      expect.arrayContaining(['PROVIDER_FITBIT_CLIENT_SECRET', 'PROVIDER_FITBIT_PUSH_VERIFICATION_CODE']),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('place a provider elsewhere and need id and secret for an application', () => {
    const settings = readProviderSettings(connectors, {
      provider_fitbit_apiBaseUrl: 'http://127.0.0.1:9/',
      provider_fitbit_clientId: 'id',
    });
    const fitbit = settings.connectorFor('fitbit');
    expect(fitbit?.endpoints.apiBaseUrl).toBe('http://127.0.0.1:9/');
    expect(fitbit?.endpoints.tokenUrl).toBe(connectors.find(({ slug }) => slug === 'fitbit')?.endpoints.tokenUrl);
    expect(settings.platformApplication('fitbit')).toBeNull();
    expect(settings.connectorFor('nobody')).toBeUndefined();
  });

  it('ask for no application where nobody stands between the user and the provider, and switch it off by default', () => {
    const base = connectors.find(({ slug }) => slug === 'fitbit') as Connector;
    const strap: Connector = { ...base, slug: 'strap', name: 'Strap', authType: 'password', oauth: null, push: null };
    const names = Object.values(providerConfigFields([strap])).map(({ env }) => env);
    expect(names).toEqual(['PROVIDER_STRAP_ENABLED', 'PROVIDER_STRAP_API_BASE_URL']);
    const isEnabled = (value?: boolean) => readProviderSettings([strap], { provider_strap_enabled: value }).isEnabled('strap');
    expect([isEnabled(), isEnabled(false), isEnabled(true)]).toEqual([false, false, true]);
    expect(readProviderSettings(connectors, {}).isEnabled('fitbit')).toBe(true);
    expect(readProviderSettings(connectors, {}).isEnabled('nobody')).toBe(false);
  });
});
