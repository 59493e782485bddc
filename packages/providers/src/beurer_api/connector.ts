import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { configurable } from '../kit/settings.ts';
import { addDays } from '../kit/time/days.ts';
import type { PullSpec } from '../kit/types/connector.ts';
import { beurerSettings, beurerSlug, beurerSourceId, createContext, regionUrls, type BeurerValues } from './beurer.ts';
import { kinds, mapMeasurements, type Kind } from './map-measurements.ts';
import { createBeurerPassword } from './password.ts';

const historyDays = 90;

function createPull(kind: Kind, { measurementsPath }: BeurerValues): PullSpec {
  return {
    name: kind,
    resources: kinds[kind].resources,
    requiredScopes: [],
    // A call reads everything since a day, so pieces would only be read twice.
    chunkDays: historyDaysMax,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays: 7,
    deletions: { unseen: 'Deleted measurements stay in the list, and say so.' },
    collections: [],
    async *pull({ http, user, window }) {
      const response = await http.get(measurementsPath, { type: kind, since: addDays(window.startDate, -1) });
      yield { ...mapMeasurements(kind, response.body, window, createContext(user)), version: response.version };
    },
  };
}

export const beurerApi = configurable(beurerSettings, (values) => ({
  ...connectorDefaults,
  slug: beurerSlug,
  name: 'Beurer',
  description: 'Blood pressure monitors, glucose meters, scales and oximeters',
  sourceId: beurerSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: regionUrls.eu, regionUrls, authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: createBeurerPassword(values),
  resources: {
    blood_pressure: needs(),
    heartrate: needs(),
    glucose: needs(),
    body: needs(),
    weight: needs(),
    fat: needs(),
    blood_oxygen: needs(),
  },
  backfillDays: historyDays,
  pulls: (Object.keys(kinds) as Kind[]).map((kind) => createPull(kind, values)),
  pollEveryMs: 3_600_000,
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  classify: classifyByStatus,
}));
