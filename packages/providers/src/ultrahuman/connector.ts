import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { readUnlessMissing } from '../kit/http/read-optional.ts';
import { eachDay } from '../kit/time/days.ts';
import type { Connector, PullSpec } from '../kit/types/connector.ts';
import { readUltrahumanAccount } from './account.ts';
import { mapDay } from './mappers/map-day.ts';
import { createContext, ultrahumanSlug, ultrahumanSourceId } from './ultrahuman.ts';

const historyDays = 90;
const ringData = needs('profile', 'ring_data');

const daysPull: PullSpec = {
  name: 'days',
  resources: [
    'sleep',
    'sleep_cycle',
    'activity',
    'heartrate',
    'hrv',
    'blood_oxygen',
    'body_temperature',
    'body_temperature_delta',
    'steps',
    'vo2_max',
    'glucose',
  ],
  requiredScopes: ['profile'],
  // A call for each day, of some 50 KB each.
  chunkDays: 7,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays: 5,
  deletions: { unseen: 'A day that was not uploaded yet has the same response as one without data: none, or an empty list.' },
  collections: [],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for (const date of eachDay(window)) {
      const response = await readUnlessMissing(http, '/user_data/metrics', { date });
      if (response) yield { version: response.version, ...mapDay(response.body, date, context) };
    }
  },
};

export const ultrahuman: Connector = {
  ...connectorDefaults,
  slug: ultrahumanSlug,
  name: 'Ultrahuman',
  description: 'Sleep, heart, temperature and steps from the ring, glucose from the patch',
  sourceId: ultrahumanSourceId,
  authType: 'oauth',
  offsetsFrom: 'zone',
  endpoints: {
    apiBaseUrl: 'https://partner.ultrahuman.com/api/partners/v1',
    authorizeUrl: 'https://auth.ultrahuman.com/authorise',
    tokenUrl: 'https://partner.ultrahuman.com/api/partners/oauth/token',
    revokeUrl: 'https://partner.ultrahuman.com/api/partners/oauth/revoke',
  },
  oauth: {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['profile', 'ring_data', 'cgm_data'],
    essentialScopes: ['profile'],
    refresh: 'rotates',
  },
  resources: {
    sleep: ringData,
    sleep_cycle: ringData,
    activity: ringData,
    heartrate: ringData,
    hrv: ringData,
    blood_oxygen: ringData,
    body_temperature: ringData,
    body_temperature_delta: ringData,
    steps: ringData,
    vo2_max: ringData,
    glucose: needs('profile', 'cgm_data'),
  },
  unavailableResources: { profile: 'Of the user, only the id and the time zone are documented.' },
  backfillDays: historyDays,
  pulls: [daysPull],
  // Each poll makes a call for each of the six days that are read again.
  pollEveryMs: 60 * 60_000,
  account: readUltrahumanAccount,
  classify(response) {
    // Without a body: an account without a paired ring, or an application that is not enabled yet. The consent stands.
    if (response.status === 403) return { code: 'provider_account_state' };
    return classifyByStatus(response);
  },
};
