import { hourMs } from '@pulsewire/kernel';
import { utcMidnight } from '../../time/days.ts';
import type { LocalInstant } from '../../time/zone.ts';
import type { RecordMaker } from '../record-maker.ts';

const noon = 12;

/** Usual hours of meals by their name. */
const hours: readonly (readonly [name: RegExp, hour: number])[] = [
  [/breakfast/i, 8],
  [/lunch/i, 12],
  [/snack/i, 15],
  [/dinner|supper/i, 18],
];

/** When a meal of this name is usually eaten on a local day, for diaries without times. Noon for a name of the user's own. */
export function usualMealTime(day: string, name: string, maker: RecordMaker): LocalInstant {
  const hour = hours.find(([pattern]) => pattern.test(name))?.[1] ?? noon;
  return maker.zoneOn(day).toInstant(utcMidnight(day) + hour * hourMs);
}

/** For diaries that have days without times. Noon claims no more than that, and is on that day in every zone. */
export function noonOf(day: string, maker: RecordMaker): LocalInstant {
  return maker.zoneOn(day).toInstant(utcMidnight(day) + noon * hourMs);
}
