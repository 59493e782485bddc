import { msToDay } from '../kit/time/days.ts';
import { readEach } from '../kit/values/json-node.ts';
import { offsetZoneName } from '../kit/time/offset-zone.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { cyclesIn, readCycle, readCycles } from './cycles.ts';

const lookBackMs = 3 * 86_400_000;

/** When the user's day begins, from the offset of the last cycle. */
export async function readWhoopAccount({ http, previous = {}, providerUserId = null, now }: AccountContext): Promise<AccountFacts> {
  if (providerUserId === null || now === undefined) return { providerUserId, account: { ...previous } };
  const window = { startDate: msToDay(now.getTime() - lookBackMs), endDate: msToDay(now.getTime()) };
  const { body } = await readCycles(http, providerUserId, window);
  const cycles = readEach('activity', cyclesIn(body), [], readCycle).toSorted((a, b) => a.startMs - b.startMs);
  const offset = cycles.at(-1)?.offset ?? null;
  const zone = offset === null ? {} : { time_zone: offsetZoneName(offset) };
  return { providerUserId, account: { ...previous, ...zone } };
}
