import { dayMs, hourMs } from '@pulsewire/kernel';
import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import type { Zone } from '../../kit/time/zone.ts';
import { toMillimoles } from '../../kit/values/glucose.ts';
import { readEach, readWhole, type JsonNode } from '../../kit/values/json-node.ts';
import type { UltrahumanDay } from '../day.ts';
import type { DayZone } from '../day-zone.ts';
import { figureOf, type FigureKind, patch, readReading, readSeconds, ring, sampleAt, type UltrahumanContext } from '../ultrahuman.ts';

interface Series {
  readonly resource: string;
  readonly sourceType: string;
  /** Conversions from the units that Ultrahuman names, the first of which is meant where it names none. */
  readonly units: Readonly<Record<string, (value: number) => number>>;
  /** The readings are intervals in the contract, and instants at Ultrahuman. */
  readonly location?: string;
}

const same = (value: number): number => value;

const seriesOf: Readonly<Record<string, Series>> = {
  hr: { resource: 'heartrate', sourceType: ring, units: { bpm: same } },
  hrv: { resource: 'hrv', sourceType: ring, units: { ms: same } },
  spo2: { resource: 'blood_oxygen', sourceType: ring, units: { '%': same } },
  temp: { resource: 'body_temperature', sourceType: ring, units: { '°c': same, c: same, celsius: same }, location: 'finger' },
  glucose: { resource: 'glucose', sourceType: patch, units: { 'mg/dl': toMillimoles, 'mmol/l': same } },
};

/** The conversion to our unit. A unit that is not known sets the series aside, because its values may be anything. */
function conversionOf({ units, resource }: Series, object: JsonNode, quarantined: Quarantined[]) {
  return readWhole(resource, quarantined, () => {
    const unit = object.at('unit');
    const [usual = same] = Object.values(units);
    if (unit.isBlank) return usual;
    const conversion = units[unit.text().toLowerCase()];
    if (conversion === undefined) throw unit.fail('unknown_shape');
    return conversion;
  });
}

function readReadings(resource: string, object: JsonNode, quarantined: Quarantined[]) {
  const list = object.at('values');
  if (list.isMissing) return [];
  // Nobody alive has a zero of any of these: it fills a gap in the list and is no reading that could be lost.
  return readEach(resource, list, quarantined, readReading).filter(({ value }) => value > 0);
}

function mapSeries(type: string, { metrics }: UltrahumanDay, zone: Zone, context: UltrahumanContext, quarantined: Quarantined[]) {
  const series = seriesOf[type];
  const object = metrics.get(type);
  if (series === undefined || object === undefined) return [];
  const { resource, sourceType, location } = series;
  const toOurs = conversionOf(series, object, quarantined);
  if (toOurs === undefined) return [];
  const samples = readReadings(resource, object, quarantined).map(({ ms, value }): Sample => ({
    ...sampleAt(zone, ms, toOurs(value)),
    ...(location !== undefined && { end: ms, extra: { sensor_location: location } }),
  }));
  return context.samples(resource, sourceType, samples);
}

/** The night's average oxygen, at its end, on days without a series; beside one it would count the same readings twice. */
function mapNightOxygen({ metrics }: UltrahumanDay, zone: Zone, context: UltrahumanContext, quarantined: Quarantined[]) {
  const sleep = metrics.get('sleep');
  if (sleep === undefined || sleep.at('spo2').isBlank || sleep.at('bedtime_end').isMissing) return [];
  return (
    readWhole('blood_oxygen', quarantined, () => {
      const [ms, value] = [readSeconds(sleep.at('bedtime_end')), figureOf(sleep.at('spo2'), 'plain')];
      const hasSeries = (metrics.get('spo2')?.at('values').itemsOrNone().length ?? 0) > 0;
      if (hasSeries) return [context.sampleRemoval('blood_oxygen', ring, [ms])];
      return value === null || value <= 0 ? [] : context.samples('blood_oxygen', ring, [sampleAt(zone, ms, value)]);
    }) ?? []
  );
}

/**
 * Steps are counts of equal intervals, whose length only the list shows; a list of one is the total of the day. Whether a zero means that
 * nobody walked, or that the ring was not worn or not synced yet, is not known, so it is no reading; no sum changes by it.
 */
function mapSteps(
  { metrics }: UltrahumanDay,
  { zone, endMs }: DayZone,
  context: UltrahumanContext,
  quarantined: Quarantined[],
): CanonicalRecord[] {
  const object = metrics.get('steps');
  if (object === undefined || object.at('values').isMissing) return [];
  const readings = readEach('steps', object.at('values'), quarantined, readReading);
  const times = readings.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const gaps = times.slice(1).map((ms, index) => ms - (times[index] ?? 0));
  const lengthMs = Math.min(hourMs, ...gaps.filter((gap) => gap > 0));
  const samples = readings
    .filter(({ value }) => value > 0)
    .map(({ ms, value }): Sample => ({
      ...sampleAt(zone, ms, value),
      // Without a known midnight the day lasts from its only reading.
      end: readings.length === 1 ? Math.max(ms, endMs ?? ms + dayMs) : ms + lengthMs,
    }));
  return context.samples('steps', ring, samples);
}

/** Figures of which a day has one; they are stored at its first instant. */
function mapDaily(
  { metrics }: UltrahumanDay,
  { zone, startMs: ms, formerStartMs }: DayZone,
  context: UltrahumanContext,
  quarantined: Quarantined[],
): CanonicalRecord[] {
  const one = (resource: string, read: () => number | null, extra?: Sample['extra']) => {
    const value = readWhole(resource, quarantined, read) ?? null;
    if (value === null) return [];
    // What was stored when the midnight was not read from the day.
    const former = formerStartMs === ms ? [] : [context.sampleRemoval(resource, ring, [formerStartMs])];
    return [...context.samples(resource, ring, [{ ...sampleAt(zone, ms, value), end: ms, ...(extra && { extra }) }]), ...former];
  };
  const figure = (type: string, kind: FigureKind) => {
    const node = metrics.get(type);
    return node === undefined ? null : figureOf(node, kind);
  };
  const inSleep = metrics.get('sleep')?.at('temperature_deviation');
  return [
    ...one('vo2_max', () => figure('vo2_max', 'plain') || null),
    ...one('body_temperature_delta', () => (inSleep ? figureOf(inSleep, 'celsius') : null) ?? figure('temperature_deviation', 'celsius'), {
      sensor_location: 'finger',
    }),
  ];
}

/** The series of a day. */
export function mapReadings(
  day: UltrahumanDay,
  clocks: DayZone,
  context: UltrahumanContext,
  quarantined: Quarantined[],
): CanonicalRecord[] {
  return [
    ...Object.keys(seriesOf).flatMap((type) => mapSeries(type, day, clocks.zone, context, quarantined)),
    ...mapNightOxygen(day, clocks.zone, context, quarantined),
    ...mapSteps(day, clocks, context, quarantined),
    ...mapDaily(day, clocks, context, quarantined),
  ];
}
