import { passwordDefaults, addressesWithoutOAuth, withoutScopes } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { createPelotonPassword } from './password.ts';
import { authRegion, authUrl, pelotonSettings, pelotonSlug, pelotonSourceId } from './peloton.ts';
import { historyDays, pelotonPulls } from './pulls.ts';

export const peloton = configurable(pelotonSettings, (values) => ({
  ...passwordDefaults,
  slug: pelotonSlug,
  name: 'Peloton',
  description: 'Bikes, treads, rowers and classes',
  sourceId: pelotonSourceId,
  endpoints: addressesWithoutOAuth('https://api.onepeloton.com', {
    regionUrls: { [authRegion]: authUrl },
    // The sign-in uses several hosts; the name of only one is known.
    linkDomain: 'onepeloton.com',
  }),
  password: createPelotonPassword(values),
  resources: withoutScopes('profile', 'workouts', 'workout_stream'),
  backfillDays: historyDays,
  pulls: pelotonPulls,
  // More frequent polling has led to locked accounts.
  pollEveryMs: 3_600_000,
  authorize: (accessToken) => ({ headers: { authorization: `Bearer ${accessToken}`, 'peloton-platform': 'web' } }),
}));
