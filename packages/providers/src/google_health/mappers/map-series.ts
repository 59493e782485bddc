import type { CanonicalRecord, Quarantined, Sample, SeenDevice, Summary } from '@pulsewire/contract';
import { deviceOfPoint } from '../account.ts';
import { keyOf, type Bodies } from '../data-points.ts';
import { sourceOfPoint, type PointSource } from '../device-types.ts';
import { mergedSource } from '../google-health.ts';
import { readEachPoint, readCivilDate, readInterval, readPointId, readSampleTime } from '../read-point.ts';
import { fatType, weightType, type SeriesRow, type SeriesType } from '../series.ts';
import { isWithin } from '../../kit/records/left-out.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { addDays, msToDay } from '../../kit/time/days.ts';
import type { MappedRecords, PullUser, PullWindow } from '../../kit/types/connector.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';

type Times = Pick<Sample, 'ts' | 'end' | 'timezoneOffset' | 'offsetFrom'>;

interface Reading {
  readonly type: SeriesType;
  readonly sourceType: string;
  /** Another type under which the same reading may be stored. */
  readonly formerly: string | null;
  readonly device: SeenDevice | null;
  /** The day on whose morning the night of the reading ended. */
  readonly night: string;
  readonly sample: Sample;
}

/** Series whose samples have an end even when the provider names an instant. */
const intervalResources: ReadonlySet<string> = new Set(['body_temperature', 'body_temperature_delta', 'vo2_max']);
/** A night is over by 18:00; what is measured later belongs to the next one. */
const nightShiftMs = 6 * 3_600_000;

function readTimes({ kind }: SeriesType, resource: string, value: JsonNode, context: RecordMaker): Times & { readonly night: string } {
  const isInterval = intervalResources.has(resource);
  if (kind === 'daily') {
    const day = readCivilDate(value.at('date'));
    const zone = context.zoneOn(day);
    const { ms, offset } = zone.startOfDay(day);
    const end = isInterval ? { end: zone.startOfDay(addDays(day, 1)).ms } : {};
    return { night: day, ts: ms, ...end, timezoneOffset: offset, offsetFrom: zone.originAt(ms) };
  }
  const interval = kind === 'interval' ? readInterval(value, context) : null;
  const { ms, offset, offsetFrom } = interval?.start ?? readSampleTime(value, context);
  const end = interval === null ? (isInterval ? { end: ms } : {}) : { end: interval.end.ms };
  return { night: msToDay(ms + (offset ?? 0) * 1000 + nightShiftMs), ts: ms, ...end, timezoneOffset: offset, offsetFrom };
}

const meters: ReadonlyMap<unknown, string> = new Map([
  ['CONTINUOUS_GLUCOSE_MONITORING', 'automatic'],
  ['SELF_MONITORING_BLOOD_GLUCOSE', 'fingerprick'],
  ['LAB_TEST', 'lab'],
]);

function sourceOf({ operation }: SeriesType, point: JsonNode, value: JsonNode, user: PullUser, ms: number): PointSource {
  const type = operation === 'reconcile' ? mergedSource : meters.get(value.at('measurementSource').value);
  return type === undefined ? sourceOfPoint(point, user, ms) : { type, formerly: null };
}

/** Night temperatures are taken at the wrist; of a core temperature Google's location has no counterpart here. */
const locations: ReadonlyMap<string, string | null> = new Map([
  ['body_temperature_delta', 'wrist'],
  ['body_temperature', null],
]);

function readPage(type: SeriesType, resource: string, body: unknown, context: RecordMaker, quarantined: Quarantined[]): Reading[] {
  const location = locations.get(resource);
  const extra = location === undefined ? {} : { extra: { sensor_location: location } };
  return readEachPoint(resource, body, quarantined, (point): Reading | undefined => {
    const value = point.at(keyOf(type.type));
    const { night, ...times } = readTimes(type, resource, value, context);
    const measured = type.read(value);
    if (measured === null) return undefined;
    const { type: sourceType, formerly } = sourceOf(type, point, value, context.user, times.ts);
    return { type, sourceType, formerly, device: deviceOfPoint(point, context), night, sample: { ...times, value: measured, ...extra } };
  });
}

/** Of the readings of several types, ordered by type, those that are not the same measurement again. */
function withoutCopies({ combined, types }: SeriesRow, readings: readonly Reading[], firstDay: string | undefined): readonly Reading[] {
  if (combined === undefined) return readings;
  const keyOfReading = ({ night, sourceType, sample }: Reading) => (combined === 'by_night' ? night : `${sourceType}/${sample.ts}`);
  const chosen = new Map<string, SeriesType>();
  for (const reading of readings) if (!chosen.has(keyOfReading(reading))) chosen.set(keyOfReading(reading), reading.type);
  // The evening before the first day was not read: whether its night has an earlier type is unknown.
  const isKnown = ({ type, night }: Reading) => combined === 'all' || type === types[0] || night !== firstDay;
  return readings.filter((reading) => chosen.get(keyOfReading(reading)) === reading.type && isKnown(reading));
}

function groupsOf(resource: string, readings: readonly Reading[], context: RecordMaker): CanonicalRecord[] {
  const groups = Map.groupBy(readings, ({ sourceType, device }) => `${sourceType}/${device?.id ?? ''}`);
  const records = [...groups.values()].flatMap((group) => {
    const samples = group.map(({ sample }) => sample);
    return [...recordedBy(group[0]?.device ?? null, context.samples(resource, group[0]?.sourceType ?? '', samples))];
  });
  const former = Map.groupBy(readings, ({ formerly }) => formerly);
  const removals = [...former].flatMap(([formerly, group]) =>
    formerly === null ? [] : [context.sampleRemoval(resource, formerly, [...new Set(group.map(({ sample }) => sample.ts))])],
  );
  return [...records, ...removals];
}

/**
 * Pages of the types of a series as samples, grouped by what measured them. Where several types are combined by night, all pages of a
 * range are needed at once; `firstDay` is the first of that range.
 */
export function mapSeries(bodies: Bodies, row: SeriesRow, context: RecordMaker, firstDay?: string): MappedRecords {
  const quarantined: Quarantined[] = [];
  const readings = row.types.flatMap((type) =>
    (bodies[type.type] ?? []).flatMap((body) => readPage(type, row.resource, body, context, quarantined)),
  );
  return { records: groupsOf(row.resource, withoutCopies(row, readings, firstDay), context), quarantined };
}

/** A scale sends weight and fat separately, with the same time or one that is rounded. */
const sameWeighingMs = 60_000;

/** Pages of `weight` and `body-fat`: their samples, and a body summary for each weighing of the window. */
export function mapWeighings(bodies: Bodies, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const readAll = (type: SeriesType, resource: string) =>
    (bodies[type.type] ?? []).flatMap((body) => readPage(type, resource, body, context, quarantined));
  const [weights, fats] = [readAll(weightType, 'weight'), readAll(fatType, 'fat')];
  // By minute, so that many weighings take linear time.
  const minuteOf = (ms: number) => Math.floor(ms / sameWeighingMs);
  const fatsOf = Map.groupBy(fats, ({ sourceType, sample }) => `${sourceType}/${minuteOf(sample.ts)}`);
  const fatAt = (ms: number, sourceType: string): number | null => {
    const distance = ({ sample }: Reading) => Math.abs(sample.ts - ms);
    const minutes = [-1, 0, 1].flatMap((shift) => fatsOf.get(`${sourceType}/${minuteOf(ms) + shift}`) ?? []);
    const near = minutes.filter((fat) => distance(fat) <= sameWeighingMs);
    return near.toSorted((a, b) => distance(a) - distance(b))[0]?.sample.value ?? null;
  };
  const removals: CanonicalRecord[] = [];
  const readBody = (point: JsonNode): Summary | undefined => {
    const value = point.at(weightType.type);
    const { ms, day } = readSampleTime(value, context);
    if (!isWithin(day, window)) return undefined;
    const { type: sourceType, formerly } = sourceOfPoint(point, context.user, ms);
    const externalId = readPointId(point);
    if (formerly !== null) removals.push(context.removal({ resource: 'body', sourceType: formerly, externalId }));
    const data = { weight: weightType.read(value), fat: fatAt(ms, sourceType) };
    const summary = context.summary({
      raw: point,
      resource: 'body',
      sourceType,
      externalId,
      calendarDate: day,
      at: ms,
      data,
    });
    return recordedBy(deviceOfPoint(point, context), [summary])[0];
  };
  const unlisted: Quarantined[] = [];
  const summaries = (bodies[weightType.type] ?? []).flatMap((body) => readEachPoint('body', body, unlisted, readBody));
  const samples = [...groupsOf('weight', weights, context), ...groupsOf('fat', fats, context)];
  return { records: [...summaries, ...samples, ...removals], quarantined: [...quarantined, ...unlisted] };
}
