import type { Quarantined, Sample } from '@pulsewire/contract';
import { addDays } from '../../kit/time/days.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { keyOf } from '../data-points.ts';
import { mergedSource } from '../google-health.ts';
import { readEachPoint, readCivilDate, readInterval, readSampleTime, readSourceType } from '../read-point.ts';
import type { SeriesRow } from '../series.ts';

type Times = Pick<Sample, 'ts' | 'end' | 'timezoneOffset' | 'offsetFrom'>;

/** Series whose samples have an end even when the provider names an instant. */
const intervalResources: ReadonlySet<string> = new Set(['body_temperature', 'body_temperature_delta', 'vo2_max']);

function readTimes(row: SeriesRow, value: JsonNode, context: RecordMaker): Times {
  if (row.kind === 'daily') {
    const day = readCivilDate(value.at('date'));
    const zone = context.zoneOn(day);
    const { ms, offset } = zone.startOfDay(day);
    const end = intervalResources.has(row.resource) ? { end: zone.startOfDay(addDays(day, 1)).ms } : {};
    return { ts: ms, ...end, timezoneOffset: offset, offsetFrom: zone.originAt(ms) };
  }
  if (row.kind === 'sample') {
    const { ms, offset, offsetFrom } = readSampleTime(value, context);
    const end = intervalResources.has(row.resource) ? { end: ms } : {};
    return { ts: ms, ...end, timezoneOffset: offset, offsetFrom };
  }
  const { start, end } = readInterval(value, context);
  return { ts: start.ms, end: end.ms, timezoneOffset: start.offset, offsetFrom: start.offsetFrom };
}

const meters: ReadonlyMap<unknown, string> = new Map([
  ['CONTINUOUS_GLUCOSE_MONITORING', 'automatic'],
  ['SELF_MONITORING_BLOOD_GLUCOSE', 'fingerprick'],
  ['LAB_TEST', 'lab'],
]);

function sourceTypeOf(row: SeriesRow, point: JsonNode, value: JsonNode): string {
  if (row.operation === 'reconcile') return mergedSource;
  return meters.get(value.at('measurementSource').value) ?? readSourceType(point);
}

/** Night temperatures are taken at the wrist; of a core temperature Google's location has no counterpart here. */
const locations: ReadonlyMap<string, string | null> = new Map([
  ['body_temperature_delta', 'wrist'],
  ['body_temperature', null],
]);

/** A page of points of one data type as samples, grouped by what measured them. */
export function mapSeries(body: unknown, row: SeriesRow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const location = locations.get(row.resource);
  const extra = location === undefined ? {} : { extra: { sensor_location: location } };
  const points = readEachPoint(row.resource, body, quarantined, (point) => {
    const value = point.at(keyOf(row.type));
    const times = readTimes(row, value, context);
    const measured = row.read(value);
    return measured === null ? undefined : { type: sourceTypeOf(row, point, value), sample: { ...times, value: measured, ...extra } };
  });
  const byType = Map.groupBy(points, ({ type }) => type);
  const records = [...byType].flatMap(([type, found]) =>
    context.samples(
      row.resource,
      type,
      found.map(({ sample }) => sample),
    ),
  );
  return { records, quarantined };
}
