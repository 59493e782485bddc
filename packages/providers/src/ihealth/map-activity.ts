import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../kit/records/left-out.ts';
import { daySpan } from '../kit/time/day-span.ts';
import { addDays, msToDay, utcMidnight } from '../kit/time/days.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { offsetOf } from './clock.ts';
import { unitFactor, type ListMapper } from './list-mapper.ts';

const metersPerKilometer = 1000;
const metersPerMile = 1609.344;
const tracker = 'unknown';

interface DayRow {
  readonly item: JsonNode;
  readonly day: string;
  readonly changed: number;
  readonly offset: number | null;
  readonly steps: number | null;
  readonly calories: number | null;
  readonly meters: number | null;
}

function readRow(item: JsonNode, factor: number): DayRow {
  const amount = (key: string) => item.at(key).optional((node) => node.amount());
  const distance = amount('DistanceTraveled');
  return {
    item,
    // Only its date is used: the time is that of the last sync, or the end of the day.
    day: msToDay(item.at('MDate').amount() * 1000),
    changed: item.at('LastChangeTime').optional((node) => node.amount()) ?? 0,
    offset: offsetOf(item.at('TimeZone')),
    steps: amount('Steps'),
    calories: amount('Calories'),
    meters: distance === null ? null : roundTo(distance * factor, 1),
  };
}

/** The newest row of each day. */
function byDay(rows: readonly DayRow[]): ReadonlyMap<string, DayRow> {
  return new Map(rows.toSorted((a, b) => a.changed - b.changed).map((row) => [row.day, row]));
}

/** A row contains the offset at its end; the day began with that of the day before. */
function recordsOf(row: DayRow, before: DayRow | undefined, context: RecordMaker): CanonicalRecord[] {
  const { day, steps, calories, meters } = row;
  const offsets = row.offset === null ? null : { start: before?.offset ?? row.offset, end: row.offset };
  const { offsetFrom, ...span } = daySpan(day, offsets, context.zoneOn(day));
  const sample = (value: number) => ({ ...span, value, offsetFrom });
  return [
    context.summary({
      raw: row.item,
      resource: 'activity',
      sourceType: tracker,
      externalId: day,
      calendarDate: day,
      at: utcMidnight(day),
      offsetFrom,
      data: { steps, calories_total: calories, distance: meters, timezone_offset: span.timezoneOffset },
    }),
    ...(steps === null ? [] : context.samples('steps', tracker, [sample(steps)])),
    ...(meters === null ? [] : context.samples('distance', tracker, [sample(meters)])),
  ];
}

/** One row a day: steps, distance, and energy with the basal rate. */
export const mapActivity: ListMapper = (body, window, context) => {
  const quarantined: Quarantined[] = [];
  const root = new JsonNode(body);
  const factor = unitFactor(root.at('DistanceUnit'), [metersPerKilometer, metersPerMile], 'activity', quarantined);
  if (factor === null) return { records: [], quarantined };
  const rows = byDay(readEach('activity', root.at('ARDataList'), quarantined, (item) => readRow(item, factor)));
  const wanted = [...rows.values()].filter(({ day }) => isWithin(day, window));
  // What the user wrote about a day belongs to no reading, and notes need the scope of a measuring device.
  leaveOut(window, 'unknown_kind', wanted.filter(({ item }) => !item.at('Note').isBlank).length);
  const records = wanted.flatMap((row) => recordsOf(row, rows.get(addDays(row.day, -1)), context));
  return { records, quarantined };
};
