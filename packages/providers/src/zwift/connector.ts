import { passwordDefaults, addressesWithoutOAuth, withoutScopes } from '../kit/connector-defaults.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { configurable } from '../kit/settings.ts';
import { createZwiftPassword } from './password.ts';
import { historyDays, zwiftPulls } from './pulls.ts';
import { appHeadersOf, loginRegion, loginUrl, zwiftSettings, zwiftSlug, zwiftSourceId } from './zwift.ts';

export const zwift = configurable(zwiftSettings, (values) => ({
  ...passwordDefaults,
  slug: zwiftSlug,
  name: 'Zwift',
  description: 'Indoor rides and runs',
  sourceId: zwiftSourceId,
  offsetsFrom: 'zone',
  endpoints: addressesWithoutOAuth('https://us-or-rly101.zwift.com', { regionUrls: { [loginRegion]: loginUrl } }),
  password: createZwiftPassword(values),
  resources: withoutScopes('profile', 'workouts', 'workout_stream'),
  backfillDays: historyDays,
  pulls: zwiftPulls,
  pollEveryMs: 30 * 60_000,
  async account({ http, previous = {} }) {
    const { body } = await http.get('/api/profiles/me');
    const id = new JsonNode(body).at('id').value;
    return { providerUserId: Number.isSafeInteger(id) ? String(id) : null, account: { ...previous } };
  },
  authorize: (accessToken) => ({ headers: { ...appHeadersOf(values), authorization: `Bearer ${accessToken}` } }),
}));
