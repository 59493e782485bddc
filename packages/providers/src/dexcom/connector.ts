import { connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { readDexcomAccount } from './account.ts';
import { classifyDexcom } from './classify.ts';
import { createContext, dexcomSettings, dexcomSlug, dexcomSourceId, placeUrls } from './dexcom.ts';
import { mapGlucose } from './map-glucose.ts';
import { createDexcomPassword } from './password.ts';
import { readingsMax, readLatest } from './readings.ts';

export const dexcom = configurable(dexcomSettings, (values) => ({
  ...connectorDefaults,
  slug: dexcomSlug,
  name: 'Dexcom (Share)',
  description: 'Glucose sensor, read as the wearer shares it',
  sourceId: dexcomSourceId,
  authType: 'password',
  endpoints: { apiBaseUrl: placeUrls.us, regionUrls: placeUrls, authorizeUrl: null, tokenUrl: null, revokeUrl: null },
  password: createDexcomPassword(values),
  resources: { glucose: needs() },
  backfillDays: 1,
  pulls: [
    {
      name: 'glucose',
      resources: ['glucose'],
      requiredScopes: [],
      // One call returns all available data: 24 hours, which may touch three calendar days because the zones of clocks differ.
      chunkDays: 3,
      backfillDays: 1,
      rereadDays: 2,
      deletions: { unseen: 'A response covers only the last day, and readings cannot be deleted.' },
      collections: [],
      async *pull({ http, user, window }) {
        const response = await readLatest(http, readingsMax);
        yield { ...mapGlucose(response.body, window, createContext(user)), version: response.version };
      },
    },
  ],
  pollEveryMs: 5 * 60_000,
  account: readDexcomAccount,
  authorize: (sessionId) => ({ query: { sessionId } }),
  classify: classifyDexcom,
}));
