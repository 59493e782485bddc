import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { buildCycles, type CycleEntry } from '../../kit/records/menstrual-cycles.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { eachDay, msToDay, utcMidnight } from '../../kit/time/days.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { keyOf, type Bodies } from '../data-points.ts';
import { isUnderWay, readEachPoint, readInterval, readSampleTime } from '../read-point.ts';

export const periodType = 'menstrual-period';
export const ovulationType = 'ovulation-test';

/** A longer period is a mistake of the person or of Google. */
const periodDaysMax = 60;

const results: ReadonlyMap<string, string> = new Map([
  ['NEGATIVE', 'negative'],
  ['POSITIVE', 'positive'],
  ['LUTEINIZING_HORMONE_SURGE', 'luteinizing_hormone_surge'],
  ['ESTROGEN_SURGE', 'estrogen_surge'],
  ['INDETERMINATE', 'indeterminate'],
]);

/** Google states the days of a period and no flow. A period under way has no days yet that are over. */
function readPeriod(point: JsonNode, context: RecordMaker): CycleEntry[] {
  const period = point.at(keyOf(periodType));
  if (isUnderWay(period)) return [];
  const { start, end } = readInterval(period, context);
  // An end at midnight is the end of the day before.
  const last = end.ms > start.ms ? msToDay(end.ms - 1 + (end.offset ?? 0) * 1000) : end.day;
  const days = eachDay({ startDate: start.day, endDate: last < start.day ? start.day : last });
  if (days.length > periodDaysMax) throw period.at('interval').fail('unknown_shape');
  return days.map((date) => ({ date, kind: 'period', fields: {} }));
}

function readTest(point: JsonNode, context: RecordMaker): CycleEntry {
  const test = point.at(keyOf(ovulationType));
  const { day } = readSampleTime(test, context);
  const result = results.get(test.at('result').text());
  if (result === undefined) throw test.at('result').fail('bad_text');
  return { date: day, kind: 'ovulation_test', fields: { test_result: result } };
}

/** Pages of periods and ovulation tests: the cycles that begin in the window. */
export function mapCycles(bodies: Bodies, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const readAll = <T>(type: string, read: (point: JsonNode, context: RecordMaker) => T) =>
    (bodies[type] ?? []).flatMap((body) => readEachPoint('menstrual_cycle', body, quarantined, (point) => read(point, context)));
  const entries = [...readAll(periodType, readPeriod).flat(), ...readAll(ovulationType, readTest).toReversed()];
  const cycles = buildCycles(entries).filter(({ start }) => isWithin(start, window));
  const records = cycles.map(({ start, data }): CanonicalRecord =>
    context.summary({
      resource: 'menstrual_cycle',
      sourceType: 'app',
      externalId: start,
      calendarDate: start,
      at: utcMidnight(start),
      data,
    }),
  );
  return { records, quarantined };
}
