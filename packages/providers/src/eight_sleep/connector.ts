import { classifyStatuses, passwordDefaults, addressesWithoutOAuth, withoutScopes } from '../kit/connector-defaults.ts';
import { textOrNull } from '../kit/records/recorded-by.ts';
import { configurable } from '../kit/settings.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { appHeadersOf, authRegion, authUrl, eightSleepSettings, eightSleepSlug, eightSleepSourceId } from './eight-sleep.ts';
import { createEightSleepPassword } from './password.ts';
import { eightSleepPulls, historyDays } from './pulls.ts';

export const eightSleep = configurable(eightSleepSettings, (values) => ({
  ...passwordDefaults,
  slug: eightSleepSlug,
  name: 'Eight Sleep',
  description: 'Mattresses and covers that record sleep, heart rate and breathing',
  sourceId: eightSleepSourceId,
  endpoints: addressesWithoutOAuth('https://client-api.8slp.net/v1', { regionUrls: { [authRegion]: authUrl } }),
  password: createEightSleepPassword(values),
  resources: withoutScopes('profile', 'sleep', 'sleep_cycle', 'heartrate', 'hrv', 'respiratory_rate'),
  backfillDays: historyDays,
  pulls: eightSleepPulls,
  pollEveryMs: 30 * 60_000,
  async account({ http, previous = {} }) {
    const user = new JsonNode((await http.get('/users/me')).body).at('user');
    const timeZone = textOrNull(user.at('timezone')) ?? textOrNull(user.at('currentDevice').at('timeZone'));
    return { providerUserId: textOrNull(user.at('userId')), account: { ...previous, ...(timeZone !== null && { time_zone: timeZone }) } };
  },
  authorize: (accessToken) => ({ headers: { ...appHeadersOf(values), authorization: `Bearer ${accessToken}` } }),
  // 403: the user's subscription has ended, and may be renewed.
  classify: classifyStatuses({ 403: 'provider_account_state' }),
}));
