import { msToDay } from '../kit/time/days.ts';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
import { offsetZoneName } from '../kit/time/offset-zone.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { readClocks, type DexcomTime } from './read-time.ts';

type Clocks = Pick<DexcomTime, 'ms' | 'offset'>;

/** The westernmost offset: no clock shows an earlier day. */
const westernmost = -12 * 3600;

/**
 * Receivers, and phones that were offline, upload several days at once. When the last reading has advanced since the previous check, the
 * readings in between are new, and everything from that day on is read (`late-window.ts`). The day is the user's local day, as in windows:
 * with the UTC day, an evening in America would be missed.
 */
function readEnd({ ms, offset }: Clocks, previous: AccountContext['previous']): Readonly<Record<string, unknown>> {
  const day = msToDay(ms + (offset ?? westernmost) * 1000);
  const before = previous?.['last_reading_day'];
  return { last_reading_day: day, unread_since: typeof before === 'string' && before < day ? before : null };
}

/**
 * The account id, which only responses with data contain (this is the smallest of them); the zone of the user's clocks at the last
 * reading, so that a day is requested when it begins for the user; and the days of that reading and of the one before it.
 */
export async function readDexcomAccount({ http, previous = {} }: AccountContext): Promise<AccountFacts> {
  const { body } = await http.get('/v3/users/self/dataRange');
  const range = new JsonNode(body);
  const end = readWhole('glucose', [], () => range.at('egvs').optional((egvs) => readClocks(egvs.at('end')))) ?? null;
  const zone = end === null || end.offset === null ? {} : { time_zone: offsetZoneName(end.offset) };
  const facts = end === null ? {} : readEnd(end, previous);
  return { providerUserId: range.at('userId').optional((node) => node.id()), account: { ...previous, ...zone, ...facts } };
}
