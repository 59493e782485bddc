import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { addDays } from '../../kit/time/days.ts';
import type { Zone } from '../../kit/time/zone.ts';
import { toMillimoles } from '../../kit/values/glucose.ts';
import { readEach, readWhole, type JsonNode } from '../../kit/values/json-node.ts';
import type { UltrahumanDay } from '../day.ts';
import { figureOf, patch, readReading, ring, sampleAt, type UltrahumanContext } from '../ultrahuman.ts';

interface Series {
  readonly resource: string;
  readonly sourceType: string;
  /** Default: the value as it is. */
  toOurs?(value: number): number;
  /** The readings are intervals in the contract, and instants at Ultrahuman. */
  readonly location?: string;
}

const seriesOf: Readonly<Record<string, Series>> = {
  hr: { resource: 'heartrate', sourceType: ring },
  hrv: { resource: 'hrv', sourceType: ring },
  spo2: { resource: 'blood_oxygen', sourceType: ring },
  temp: { resource: 'body_temperature', sourceType: ring, location: 'finger' },
  glucose: { resource: 'glucose', sourceType: patch, toOurs: toMillimoles },
};

function readReadings(resource: string, object: JsonNode, quarantined: Quarantined[]) {
  const list = object.at('values');
  if (list.isMissing) return [];
  // A zero of any of these is a reading that failed.
  return readEach(resource, list, quarantined, readReading).filter(({ value }) => value > 0);
}

function mapSeries(type: string, { metrics }: UltrahumanDay, zone: Zone, context: UltrahumanContext, quarantined: Quarantined[]) {
  const series = seriesOf[type];
  const object = metrics.get(type);
  if (series === undefined || object === undefined) return [];
  const { resource, sourceType, toOurs = (value: number) => value, location } = series;
  const samples = readReadings(resource, object, quarantined).map(({ ms, value }): Sample => ({
    ...sampleAt(zone, ms, toOurs(value)),
    ...(location !== undefined && { end: ms, extra: { sensor_location: location } }),
  }));
  return context.samples(resource, sourceType, samples);
}

const hourMs = 3_600_000;

/** Steps are counts of equal intervals, whose length only the list shows; a list of one is the total of the day. */
function mapSteps({ day, metrics }: UltrahumanDay, zone: Zone, context: UltrahumanContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const object = metrics.get('steps');
  if (object === undefined || object.at('values').isMissing) return [];
  const readings = readEach('steps', object.at('values'), quarantined, readReading);
  const times = readings.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const gaps = times.slice(1).map((ms, index) => ms - (times[index] ?? 0));
  const lengthMs = Math.min(hourMs, ...gaps.filter((gap) => gap > 0));
  const endOfDay = zone.startOfDay(addDays(day, 1)).ms;
  const samples = readings
    .filter(({ value }) => value > 0)
    .map(({ ms, value }): Sample => ({
      ...sampleAt(zone, ms, value),
      end: readings.length === 1 ? Math.max(ms, endOfDay) : ms + lengthMs,
    }));
  return context.samples('steps', ring, samples);
}

/** Figures of which a day has one; they are stored at its first instant. */
function mapDaily({ day, metrics }: UltrahumanDay, zone: Zone, context: UltrahumanContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const { ms } = zone.startOfDay(day);
  const one = (resource: string, read: () => number | null, extra?: Sample['extra']) => {
    const value = readWhole(resource, quarantined, read) ?? null;
    if (value === null) return [];
    return context.samples(resource, ring, [{ ...sampleAt(zone, ms, value), end: ms, ...(extra && { extra }) }]);
  };
  const figure = (type: string) => {
    const node = metrics.get(type);
    return node === undefined ? null : figureOf(node);
  };
  const inSleep = metrics.get('sleep')?.at('temperature_deviation');
  return [
    ...one('vo2_max', () => figure('vo2_max') || null),
    ...one('body_temperature_delta', () => (inSleep ? figureOf(inSleep) : null) ?? figure('temperature_deviation'), {
      sensor_location: 'finger',
    }),
  ];
}

/** The series of a day. */
export function mapReadings(day: UltrahumanDay, context: UltrahumanContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const zone = context.zoneOn(day.day);
  return [
    ...Object.keys(seriesOf).flatMap((type) => mapSeries(type, day, zone, context, quarantined)),
    ...mapSteps(day, zone, context, quarantined),
    ...mapDaily(day, zone, context, quarantined),
  ];
}
