import { needs, passwordDefaults, addressesWithoutOAuth } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import { msToDay } from '../kit/time/days.ts';
import { offsetZoneName } from '../kit/time/offset-zone.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { readEach } from '../kit/values/json-node.ts';
import { cyclesIn, readCycle, readCycles } from './cycles.ts';
import { createWhoopPassword } from './password.ts';
import { historyDays, whoopPulls } from './pulls.ts';
import { whoopSettings, whoopSlug, whoopSourceId } from './whoop.ts';

const lookBackMs = 3 * 86_400_000;

/** When the user's day begins, from the offset of the last cycle. */
async function readWhoopAccount({ http, previous = {}, providerUserId = null, now }: AccountContext): Promise<AccountFacts> {
  if (providerUserId === null || now === undefined) return { providerUserId, account: { ...previous } };
  const window = { startDate: msToDay(now.getTime() - lookBackMs), endDate: msToDay(now.getTime()) };
  const { body } = await readCycles(http, providerUserId, window);
  const cycles = readEach('activity', cyclesIn(body), [], readCycle).toSorted((a, b) => a.startMs - b.startMs);
  const offset = cycles.at(-1)?.offset ?? null;
  const zone = offset === null ? {} : { time_zone: offsetZoneName(offset) };
  return { providerUserId, account: { ...previous, ...zone } };
}

export const whoop = configurable(whoopSettings, (values) => ({
  ...passwordDefaults,
  slug: whoopSlug,
  name: 'WHOOP (app login)',
  description: 'Strap for strain, recovery and sleep, by the login of its app',
  sourceId: whoopSourceId,
  endpoints: addressesWithoutOAuth('https://api.prod.whoop.com'),
  password: createWhoopPassword(values),
  resources: Object.fromEntries(whoopPulls.flatMap(({ resources }) => resources.map((name) => [name, needs()]))),
  unavailableResources: {
    steps: 'There is no series of steps: WHOOP refuses it, and shows the total of a day only on a screen of its app.',
  },
  backfillDays: historyDays,
  pulls: whoopPulls,
  pollEveryMs: 60 * 60_000,
  account: readWhoopAccount,
  authorize: (accessToken) => ({
    headers: { authorization: `Bearer ${accessToken}` },
    query: { apiVersion: values.apiVersion },
  }),
}));
