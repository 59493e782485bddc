import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { beurerSettings, beurerSlug, beurerSourceId, ownFormat, regionUrls } from './beurer.ts';
import { createBeurerPassword } from './password.ts';
import { createBeurerPulls, historyDays } from './pulls.ts';

export const beurerApi = configurable(beurerSettings, (values) => ({
  ...connectorDefaults,
  slug: beurerSlug,
  name: 'Beurer',
  description: `Blood pressure monitors, glucose meters, scales and oximeters. ${ownFormat}`,
  ownFormat,
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
  pulls: createBeurerPulls(values),
  pollEveryMs: 3_600_000,
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  classify: classifyByStatus,
}));
