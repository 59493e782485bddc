import { hourMs } from '@pulsewire/kernel';
import { classifyStatuses, connectorDefaults, withoutScopes } from '../kit/connector-defaults.ts';
import type { Connector } from '../kit/types/connector.ts';
import { readDexcomAccount } from './account.ts';
import { dexcomSlug, dexcomSourceId, historyDays } from './dexcom.ts';
import { dexcomPulls } from './pulls/all.ts';

export const dexcomV3: Connector = {
  ...connectorDefaults,
  slug: dexcomSlug,
  name: 'Dexcom',
  description: 'Continuous glucose monitoring, with insulin, carbohydrates and notes',
  sourceId: dexcomSourceId,
  authType: 'oauth',
  sourceKind: 'device',
  endpoints: {
    apiBaseUrl: 'https://api.dexcom.com',
    authorizeUrl: 'https://api.dexcom.com/v2/oauth2/login',
    tokenUrl: 'https://api.dexcom.com/v2/oauth2/token',
    // Users revoke their consent in their account; there is no call for it.
    revokeUrl: null,
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['offline_access'],
    essentialScopes: ['offline_access'],
    refresh: 'rotates',
  },
  resources: withoutScopes('glucose', 'insulin_injection', 'carbohydrates', 'note', 'workout_duration'),
  backfillDays: historyDays,
  pulls: dexcomPulls,
  // Readings from phones arrive one to three hours late.
  pollEveryMs: 2 * hourMs,
  quotas: [{ scope: 'app', requests: 60_000, perMs: hourMs, window: 'sliding' }],
  account: readDexcomAccount,
  // 403: the account is in another region, or our application has no access. Neither is a matter of consent.
  classify: classifyStatuses({ 403: 'provider_account_state' }),
};
