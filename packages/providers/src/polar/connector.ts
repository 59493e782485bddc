import { dayMs } from '@pulsewire/kernel';
import { connectorDefaults, withoutScopes } from '../kit/connector-defaults.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import type { Connector } from '../kit/types/connector.ts';
import { readPolarAccount } from './account.ts';
import { classifyPolar } from './classify.ts';
import { polarSlug, polarSourceId } from './polar.ts';
import { polarPulls } from './pulls/all.ts';
import { historyDays } from './pulls/clocked-pull.ts';
import { polarPush } from './push.ts';
import { readPolarQuotas } from './quotas.ts';

const quarterMs = 900_000;

export const polar: Connector = {
  ...connectorDefaults,
  slug: polarSlug,
  name: 'Polar',
  description: 'Sports watches: training, sleep, nightly recharge and activity',
  sourceId: polarSourceId,
  authType: 'oauth',
  endpoints: {
    apiBaseUrl: 'https://www.polaraccesslink.com/v3',
    authorizeUrl: 'https://flow.polar.com/oauth2/authorization',
    tokenUrl: 'https://polarremote.com/v2/oauth2/token',
    revokeUrl: null,
  },
  oauth: {
    clientAuth: 'basic',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['accesslink.read_all'],
    refresh: 'none',
    userIdPath: ['x_user_id'],
    // Deregistering the user from the application also revokes the token.
    async revoke({ http, accessToken, providerUserId }) {
      if (providerUserId === null) return false;
      const headers = { authorization: `Bearer ${accessToken}` };
      const { status } = await http.send({ method: 'DELETE', path: `/users/${encodeURIComponent(providerUserId)}`, headers });
      return judgeRevocation(status);
    },
  },
  resources: withoutScopes(
    'profile',
    'body',
    'weight',
    'vo2_max',
    'activity',
    'steps',
    'distance',
    'calories_active',
    'sleep',
    'sleep_cycle',
    'hrv',
    'respiratory_rate',
    'heartrate',
    'workouts',
    'workout_stream',
    'blood_oxygen',
    'body_temperature',
    'body_temperature_delta',
    'electrocardiogram',
    'electrocardiogram_voltage',
  ),
  backfillDays: historyDays,
  pulls: polarPulls,
  push: polarPush,
  // A poll costs fifteen calls, and each user has a hundred per day: pushes announce new data, polls read what they missed.
  pollEveryMs: dayMs / 6,
  // Each user adds twenty calls per quarter of an hour, and a hundred a day; responses state the limit.
  quotas: [
    { scope: 'app', requests: 500, perMs: quarterMs, window: 'sliding' },
    { scope: 'app', requests: 5000, perMs: dayMs, window: 'sliding' },
  ],
  historyLimit: { kind: 'concurrency', pulls: 250 },
  readQuotas: readPolarQuotas,
  account: readPolarAccount,
  classify: classifyPolar,
};
