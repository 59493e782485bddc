import { describe, expect, it } from 'vitest';
import { Errors } from 'typebox/value';
import { connectors, type Connector } from '@pulsewire/providers';
import { providerConfigFields, readProviderSettings } from './provider-settings.ts';

describe('provider settings', () => {
  it('are derived from the registry, with secrets marked', () => {
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

  it('are secret wherever the name ends like that of a token, key, code or secret', () => {
    const fields = Object.values(providerConfigFields(connectors));
    const shown = fields.flatMap(({ env, secret }) =>
      /_(TOKEN|KEY|SECRET|VERIFICATION_CODE|PASSWORD)$/.test(env) && secret !== true ? [env] : [],
    );
    expect(shown).toEqual([]);
  });

  it('refuse the id of an application without its secret, and the reverse', () => {
    const problemsOf = (values: Record<string, string>) => {
      try {
        readProviderSettings(connectors, values);
      } catch (error) {
        return (error as { details: { problems: string[] } }).details.problems;
      }
      return [];
    };
    expect(problemsOf({ provider_oura_clientId: 'id' })).toEqual(['PROVIDER_OURA_CLIENT_ID is set without PROVIDER_OURA_CLIENT_SECRET']);
    expect(problemsOf({ provider_oura_clientSecret: 's' })).toEqual(['PROVIDER_OURA_CLIENT_SECRET is set without PROVIDER_OURA_CLIENT_ID']);
  });

  it('take only the values that a setting lists', () => {
    const fields = Object.values(providerConfigFields(connectors));
    const unit = fields.find(({ env }) => env === 'PROVIDER_OMRON_WEIGHT_UNIT');
    expect(['kg', 'lb', 'stone'].map((value) => (unit ? Errors(unit.schema, value).length : -1) === 0)).toEqual([true, true, false]);
  });

  it('override the address of a provider, and name no application without one', () => {
    const settings = readProviderSettings(connectors, { provider_fitbit_apiBaseUrl: 'http://127.0.0.1:9/' });
    const fitbit = settings.connectorFor('fitbit');
    expect(fitbit?.endpoints.apiBaseUrl).toBe('http://127.0.0.1:9/');
    expect(fitbit?.endpoints.tokenUrl).toBe(connectors.find(({ slug }) => slug === 'fitbit')?.endpoints.tokenUrl);
    expect(settings.platformApplication('fitbit')).toBeNull();
    expect(settings.connectorFor('nobody')).toBeUndefined();
  });

  it('can override what a connector reports as its app, and show the default', () => {
    const fields = Object.values(providerConfigFields(connectors));
    const shown = (env: string) => fields.find((field) => field.env === env)?.defaultText;
    expect({
      dexcom: shown('PROVIDER_DEXCOM_APPLICATION_ID'),
      japan: shown('PROVIDER_DEXCOM_APPLICATION_ID_JP'),
      libreview: shown('PROVIDER_ABBOTT_LIBREVIEW_APP_VERSION'),
      zwift: shown('PROVIDER_ZWIFT_CLIENT_ID'),
      whoop: shown('PROVIDER_WHOOP_CLIENT_ID'),
      userAgent: shown('PROVIDER_ZWIFT_USER_AGENT'),
    }).toEqual({
      dexcom: '`d89443d2-327c-4a6f-89e5-496bbb0317db`',
      japan: '`d8665ade-9673-4e27-9ff6-92db4ce13d13`',
      libreview: '`4.16.0`',
      zwift: '`Zwift Game Client`',
      whoop: '`37365lrcda1js3fapqfe2n40eh`',
      userAgent: 'none',
    });
    const settings = readProviderSettings(connectors, {
      provider_abbott_libreview_appVersion: '5.0.0',
      provider_abbott_libreview_apiBaseUrl: 'http://127.0.0.1:9',
    });
    const libreview = settings.connectorFor('abbott_libreview');
    expect(libreview?.endpoints.apiBaseUrl).toBe('http://127.0.0.1:9');
    expect(libreview?.authorize?.('token', {}).headers).toMatchObject({ version: '5.0.0', product: 'llu.android' });
    const untouched = readProviderSettings(connectors, {}).connectorFor('abbott_libreview');
    expect(untouched?.authorize?.('token', {}).headers).toMatchObject({ version: '4.16.0' });
    expect(settings.platformApplication('zwift')).toBeNull();
  });

  it('can set the granted quota of providers with quotas, and show the documented one', () => {
    const fields = Object.values(providerConfigFields(connectors));
    const shown = Object.fromEntries(fields.flatMap(({ env, defaultText }) => (env.endsWith('_QUOTAS') ? [[env, defaultText]] : [])));
    expect(shown).toMatchObject({
      PROVIDER_FITBIT_QUOTAS: '`user 150/1h aligned`',
      PROVIDER_OURA_QUOTAS: '`app 5000/5m`',
      PROVIDER_STRAVA_QUOTAS: '`app 100/15m aligned, app 1000/1d aligned`',
    });
    const limited = connectors.filter(({ quotas }) => quotas.length > 0).map(({ slug }) => `PROVIDER_${slug.toUpperCase()}_QUOTAS`);
    expect(Object.keys(shown).toSorted()).toEqual(limited.toSorted());
    const settings = readProviderSettings(connectors, { provider_whoop_v2_quotas: 'app 1000/60s,app 200000/1d  aligned, user 5/30s' });
    expect(settings.connectorFor('whoop_v2')?.quotas).toEqual([
      { scope: 'app', requests: 1000, perMs: 60_000, window: 'sliding' },
      { scope: 'app', requests: 200_000, perMs: 86_400_000, window: 'aligned' },
      { scope: 'user', requests: 5, perMs: 30_000, window: 'sliding' },
    ]);
    expect(settings.connectorFor('oura')?.quotas).toEqual(connectors.find(({ slug }) => slug === 'oura')?.quotas);
  });

  it('show the quota of every provider in the format of the setting', () => {
    const fields = providerConfigFields(connectors);
    const shown = Object.entries(fields).flatMap(([key, { defaultText }]) =>
      key.endsWith('_quotas') ? [[key, defaultText?.replaceAll('`', '')]] : [],
    );
    const quotasOf = (values: object) =>
      readProviderSettings(connectors, { ...values }).connectors.map(({ slug, quotas }) => [slug, quotas]);
    expect(quotasOf(Object.fromEntries(shown))).toEqual(quotasOf({}));
  });

  it.each([
    '',
    '100/1m',
    'team 100/1m',
    'app 0/1m',
    'app 1.5/1m',
    'app 100/0m',
    'app 100/1w',
    'app 100/32d',
    'app 100/7m aligned',
    'app 100/1m sliding',
    'app 100/1m,',
    'app 100/1m, app 200/60s',
  ])('reject %j as a quota', (text) => {
    const field = Object.values(providerConfigFields(connectors)).find(({ env }) => env === 'PROVIDER_OURA_QUOTAS');
    if (!field) throw new Error('Oura has no setting for its quotas');
    expect(Errors(field.schema, 'app 100/1m')).toEqual([]);
    expect(Errors(field.schema, text)[0]?.message).toContain('app 100/15m aligned');
    if (text !== '') expect(() => readProviderSettings(connectors, { provider_oura_quotas: text })).toThrow('Invalid configuration');
  });

  it('let the operator leave out scopes of every provider that takes them at its consent page', () => {
    const fields = Object.values(providerConfigFields(connectors));
    const shown = fields.flatMap(({ env }) => (env.endsWith('_SCOPES') ? [env] : []));
    const scoped = connectors.filter(({ oauth }) => oauth !== null && oauth.scopeSeparator !== null && oauth.scopes.length > 0);
    expect(shown.toSorted()).toEqual(scoped.map(({ slug }) => `PROVIDER_${slug.toUpperCase()}_SCOPES`).toSorted());
    expect(fields.find(({ env }) => env === 'PROVIDER_OURA_SCOPES')?.defaultText).toContain('`daily heart_health');
    const settings = readProviderSettings(connectors, { provider_oura_scopes: 'personal, daily  workout' });
    expect(settings.connectorFor('oura')?.oauth?.scopes).toEqual(['personal', 'daily', 'workout']);
    const omron = readProviderSettings(connectors, { provider_omron_scopes: 'openid offline_access weight' }).connectorFor('omron');
    expect(omron?.oauth?.exchangeParams).toEqual({ scope: 'openid offline_access weight' });
    expect(settings.connectorFor('strava')?.oauth?.scopes).toEqual(connectors.find(({ slug }) => slug === 'strava')?.oauth?.scopes);
  });

  it('request an optional scope only where the operator names it', () => {
    for (const { slug, oauth } of connectors) {
      const { scopes = [], optionalScopes = [] } = oauth ?? {};
      expect({ slug, requested: optionalScopes.filter((scope) => scopes.includes(scope)) }).toEqual({ slug, requested: [] });
      if (optionalScopes.length === 0) continue;
      const all = [...scopes, ...optionalScopes];
      const settings = readProviderSettings(connectors, { [`provider_${slug}_scopes`]: all.join(' ') });
      expect(settings.connectorFor(slug)?.oauth?.scopes).toEqual(all);
    }
  });

  it.each([
    [' , ', 'a list of at least one scope'],
    ['personal dayly', 'a list without dayly; known scopes: daily heart_health'],
    ['daily', 'a list with personal, which linking needs'],
  ])('reject %j as scopes and say why', (text, problem) => {
    const field = Object.values(providerConfigFields(connectors)).find(({ env }) => env === 'PROVIDER_OURA_SCOPES');
    if (!field) throw new Error('Oura has no setting for its scopes');
    expect(Errors(field.schema, text)[0]?.message).toContain(problem);
    const read = () => readProviderSettings(connectors, { provider_oura_scopes: text });
    expect(read).toThrow(expect.objectContaining({ details: { problems: [expect.stringContaining(problem)] } }));
  });

  it('include the account of the practice for links by e-mail, with its password as a secret', () => {
    const fields = Object.values(providerConfigFields(connectors)).filter(({ env }) => env.startsWith('PROVIDER_FREESTYLE_LIBRE_'));
    const names = ['ENABLED', 'CLIENT_ID', 'CLIENT_SECRET', 'API_BASE_URL'].map((name) => `PROVIDER_FREESTYLE_LIBRE_${name}`);
    expect(fields.map(({ env }) => env)).toEqual(names);
    expect(fields.filter(({ secret }) => secret).map(({ env }) => env)).toEqual(['PROVIDER_FREESTYLE_LIBRE_CLIENT_SECRET']);
  });

  it('need no application for password providers, which are off by default', () => {
    const base = connectors.find(({ slug }) => slug === 'fitbit') as Connector;
    const strap: Connector = { ...base, slug: 'strap', name: 'Strap', authType: 'password', oauth: null, push: null, quotas: [] };
    const names = Object.values(providerConfigFields([strap])).map(({ env }) => env);
    expect(names).toEqual(['PROVIDER_STRAP_ENABLED', 'PROVIDER_STRAP_API_BASE_URL']);
    const isEnabled = (value?: boolean) => readProviderSettings([strap], { provider_strap_enabled: value }).isEnabled('strap');
    expect([isEnabled(), isEnabled(false), isEnabled(true)]).toEqual([false, false, true]);
    expect(readProviderSettings(connectors, {}).isEnabled('fitbit')).toBe(true);
    expect(readProviderSettings(connectors, {}).isEnabled('nobody')).toBe(false);
  });

  it('enable a provider without a public interface only with an address of the operator', () => {
    const read = (values: object) => readProviderSettings(connectors, { provider_beurer_api_enabled: true, ...values });
    expect([read({}).isEnabled('beurer_api'), read({}).withoutAddress]).toEqual([false, ['beurer_api']]);
    const placed = read({ provider_beurer_api_apiBaseUrl: 'https://bridge.example' });
    expect([placed.isEnabled('beurer_api'), placed.withoutAddress]).toEqual([true, []]);
  });
});
