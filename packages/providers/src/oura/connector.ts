import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import type { RevocationCall, Connector } from '../kit/types/connector.ts';
import { readOuraAccount } from './account.ts';
import { classifyOura } from './classify.ts';
import { ringsOfAccount } from './devices.ts';
import { ouraSlug, ouraSourceId } from './oura.ts';
import { ouraPulls } from './pulls/all.ts';
import { historyDays } from './pulls/days-pull.ts';
import { ouraPush } from './push.ts';

/** `POST /oauth/revoke` with only the access token, in the query, and no client credentials. */
export async function revokeOura({ http, accessToken }: RevocationCall): Promise<boolean> {
  const { status } = await http.send({ method: 'POST', path: '/oauth/revoke', query: { access_token: accessToken } });
  // A 401 means only that the access token, valid for a day, has expired: the consent lasts for years.
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}

export const oura: Connector = {
  ...connectorDefaults,
  slug: ouraSlug,
  name: 'Oura',
  description: 'Smart ring for sleep, readiness and activity',
  sourceId: ouraSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://api.ouraring.com',
    authorizeUrl: 'https://cloud.ouraring.com/oauth/authorize',
    tokenUrl: 'https://api.ouraring.com/oauth/token',
    revokeUrl: 'https://api.ouraring.com/oauth/revoke',
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['daily', 'heart_health', 'heartrate', 'personal', 'ring_configuration', 'session', 'spo2', 'tag', 'workout'],
    essentialScopes: ['personal'],
    refresh: 'rotates',
    grantedScopesIn: 'callback',
    revoke: revokeOura,
  },
  resources: {
    profile: needs('personal'),
    body: needs('personal'),
    weight: needs('personal'),
    activity: needs('daily'),
    sleep: needs('daily'),
    sleep_cycle: needs('daily'),
    workouts: needs('workout'),
    steps: needs('daily'),
    distance: needs('daily'),
    calories_active: needs('daily'),
    heartrate: { required: ['heartrate'], optional: ['daily'] },
    hrv: { required: ['daily'], optional: ['session'] },
    respiratory_rate: needs('daily'),
    blood_oxygen: { required: ['spo2'], optional: ['daily'] },
    body_temperature_delta: needs('daily'),
    vo2_max: needs('heart_health'),
    mindfulness_minutes: needs('session'),
    sleep_breathing_disturbance: { required: ['spo2'], optional: ['daily'] },
    note: needs('tag'),
  },
  backfillDays: historyDays,
  pulls: ouraPulls,
  push: ouraPush,
  quotas: [{ scope: 'app', requests: 5000, perMs: 300_000, window: 'sliding' }],
  historyLimit: { kind: 'rate', pulls: 150, perMs: 5 * 60_000 },
  account: readOuraAccount,
  devices: { read: ringsOfAccount },
  classify: classifyOura,
};
