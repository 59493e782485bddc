import { classifyByStatus, connectorDefaults, needs } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { createPelotonPassword } from './password.ts';
import { authRegion, authUrl, pelotonSettings, pelotonSlug, pelotonSourceId } from './peloton.ts';
import { historyDays, pelotonPulls } from './pulls.ts';

export const peloton = configurable(pelotonSettings, (values) => ({
  ...connectorDefaults,
  slug: pelotonSlug,
  name: 'Peloton',
  description: 'Bikes, treads, rowers and classes',
  sourceId: pelotonSourceId,
  authType: 'password',
  endpoints: {
    apiBaseUrl: 'https://api.onepeloton.com',
    regionUrls: { [authRegion]: authUrl },
    authorizeUrl: null,
    tokenUrl: null,
    revokeUrl: null,
    // The sign-in uses several hosts; the name of only one is known.
    linkDomain: 'onepeloton.com',
  },
  password: createPelotonPassword(values),
  resources: { profile: needs(), workouts: needs(), workout_stream: needs() },
  backfillDays: historyDays,
  pulls: pelotonPulls,
  // More frequent polling has led to locked accounts.
  pollEveryMs: 3_600_000,
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  authorize: (accessToken) => ({ headers: { authorization: `Bearer ${accessToken}`, 'peloton-platform': 'web' } }),
  classify: classifyByStatus,
}));
