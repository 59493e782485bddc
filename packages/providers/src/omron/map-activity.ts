import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { addDays, utcMidnight } from '../kit/time/days.ts';
import { daySpan } from '../kit/time/day-span.ts';
import { readEachOf } from '../kit/values/json-node.ts';
import type { PullWindow } from '../kit/types/connector.ts';
import { measuredBy, type Measured } from './measured.ts';
import { sources } from './omron.ts';

/** A row states the offset of its own time, which may be the midnight that begins the day or a time at its end. */
function offsetsOf(row: Measured, rows: ReadonlyMap<string, Measured>): { readonly start: number; readonly end: number } | null {
  const { offset, offsetFrom, ms, day } = row;
  if (offset === null || offsetFrom !== 'value') return null;
  const isMidnight = ms + offset * 1000 === utcMidnight(day);
  const neighbour = rows.get(addDays(day, isMidnight ? 1 : -1))?.offset ?? offset;
  return isMidnight ? { start: offset, end: neighbour } : { start: neighbour, end: offset };
}

function readDay(row: Measured, rows: ReadonlyMap<string, Measured>, context: RecordMaker): readonly CanonicalRecord[] {
  const { item, day } = row;
  const steps = item.at('steps').optional((node) => Math.round(node.amount()));
  const { offsetFrom, ...span } = daySpan(day, offsetsOf(row, rows), context.zoneOn(day));
  const summary = context.summary({
    raw: item,
    resource: 'activity',
    sourceType: sources.tracker,
    externalId: day,
    calendarDate: day,
    at: utcMidnight(day),
    offsetFrom,
    data: { steps, timezone_offset: span.timezoneOffset },
  });
  const samples = steps === null ? [] : context.samples('steps', sources.tracker, [{ ...span, value: steps, offsetFrom }]);
  return measuredBy(row, sources.tracker, context, [summary, ...samples]);
}

/** One row a day. Neither the unit of the distance nor what the energy includes is public. */
export function mapActivity(
  measured: readonly Measured[],
  window: PullWindow,
  context: RecordMaker,
  quarantined: Quarantined[],
): CanonicalRecord[] {
  const rows = new Map(measured.map((row) => [row.day, row]));
  const wanted = [...rows.values()].filter(({ day }) => isWithin(day, window));
  const [first] = wanted;
  const read = (row: Measured) => readDay(row, rows, context);
  return first ? readEachOf('activity', first.item, wanted, quarantined, read).flat() : [];
}
