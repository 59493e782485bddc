import { passwordDefaults, addressesWithoutOAuth, withoutScopes } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { beurerSettings, beurerSlug, beurerSourceId, ownFormat, regionUrls } from './beurer.ts';
import { createBeurerPassword } from './password.ts';
import { createBeurerPulls, historyDays } from './pulls.ts';

export const beurerApi = configurable(beurerSettings, (values) => ({
  ...passwordDefaults,
  slug: beurerSlug,
  name: 'Beurer',
  description: `Blood pressure monitors, glucose meters, scales and oximeters. ${ownFormat}`,
  ownFormat,
  sourceId: beurerSourceId,
  endpoints: addressesWithoutOAuth(regionUrls.eu, { regionUrls }),
  password: createBeurerPassword(values),
  resources: withoutScopes('blood_pressure', 'heartrate', 'glucose', 'body', 'weight', 'fat', 'blood_oxygen'),
  backfillDays: historyDays,
  pulls: createBeurerPulls(values),
  pollEveryMs: 3_600_000,
}));
