import { msToDay } from '../kit/time/days.ts';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
import { offsetZoneName } from '../kit/time/offset-zone.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { readClocks, type DexcomTime } from './read-time.ts';

type Clocks = Pick<DexcomTime, 'ms' | 'offset'>;

/** Where the clocks are furthest behind: no clock shows an earlier day. */
const westernmost = -12 * 3600;

/**
 * Receivers, and phones that were offline, hand days over at once. Where the last reading has moved on since the look before, what
 * lies between the two is new: from that day on is read (`late-window.ts`). The day is the user's, as those of windows are: by UTC an
 * evening in America would be left out.
 */
function readEnd({ ms, offset }: Clocks, previous: AccountContext['previous']): Readonly<Record<string, unknown>> {
  const day = msToDay(ms + (offset ?? westernmost) * 1000);
  const before = previous?.['last_reading_day'];
  return { last_reading_day: day, unread_since: typeof before === 'string' && before < day ? before : null };
}

/**
 * Whose account it is, which only answers of data say, and this is the smallest of them; where the user's clocks stood at the last
 * reading, so that a day is asked for when it begins for them; and the days of that reading and of the one before it.
 */
export async function readDexcomAccount({ http, previous = {} }: AccountContext): Promise<AccountFacts> {
  const { body } = await http.get('/v3/users/self/dataRange');
  const range = new JsonNode(body);
  const end = readWhole('glucose', [], () => range.at('egvs').optional((egvs) => readClocks(egvs.at('end')))) ?? null;
  const zone = end === null || end.offset === null ? {} : { time_zone: offsetZoneName(end.offset) };
  const facts = end === null ? {} : readEnd(end, previous);
  return { providerUserId: range.at('userId').optional((node) => node.id()), account: { ...previous, ...zone, ...facts } };
}
