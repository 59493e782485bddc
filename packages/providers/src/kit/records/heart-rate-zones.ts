import type { CanonicalRecord, Summary, WorkoutStream } from '@pulsewire/contract';
import type { PullUser } from '../types/connector.ts';

const ageAssumed = 30;
/** The share of the maximum heart rate at which each further zone begins. */
const bounds = [0.5, 0.6, 0.7, 0.8, 0.9] as const;
/** Sensors that record only changes have gaps of some seconds; a longer gap is a pause. */
const gapSecondsMax = 30;

function ageOn(day: string, birthDate: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/** 220 minus the age on that day; an age of 30 is assumed without a birth date or with an implausible one. */
export function maximumHeartRate({ birthDate = null }: Pick<PullUser, 'birthDate'>, day: string): number {
  const age = birthDate === null ? Number.NaN : ageOn(day, birthDate);
  return 220 - (age >= 0 && age <= 120 ? age : ageAssumed);
}

/** Seconds in each of six zones; null without a heart rate. */
function secondsInZones({ time, heartrate }: WorkoutStream['data'], maximum: number): readonly number[] | null {
  // Other channels may have readings at different seconds.
  const readings = time.flatMap((second, index) => {
    const rate = heartrate?.[index] ?? null;
    return rate !== null && rate > 0 ? [{ second, rate }] : [];
  });
  const zones = [0, 0, 0, 0, 0, 0];
  for (const [index, { second, rate }] of readings.entries()) {
    // The last reading counts for the second in which it was taken.
    const length = Math.min((readings[index + 1]?.second ?? second + 1) - second, gapSecondsMax);
    const zone = bounds.filter((share) => rate >= share * maximum).length;
    zones[zone] = (zones[zone] ?? 0) + length;
  }
  return readings.length > 0 ? zones.map(Math.round) : null;
}

/** Time that a provider reports for a range of heart rates. */
export interface TimeInRange {
  /** bpm; `high` is exclusive. */
  readonly low: number;
  readonly high: number;
  readonly seconds: number;
}

/**
 * Converts a provider's own ranges to six zones. A range that spans several zones is divided among them by width, as if each of its rates had
 * lasted equally long: an estimate, exact where the bounds coincide. Nothing above the maximum counts, unless the range begins there. Null
 * without any time.
 */
export function zonesOfRanges(ranges: readonly TimeInRange[], maximum: number): readonly number[] | null {
  const edges = [0, ...bounds.map((share) => share * maximum), Number.POSITIVE_INFINITY];
  const zones = bounds.map(() => 0).concat(0);
  for (const { low, high, seconds } of ranges) {
    const top = Math.max(Math.min(high, maximum), low);
    for (const zone of zones.keys()) {
      const [from, to] = [edges[zone] ?? 0, edges[zone + 1] ?? 0];
      const share = top > low ? Math.max(0, Math.min(top, to) - Math.max(low, from)) / (top - low) : Number(low >= from && low < to);
      zones[zone] = (zones[zone] ?? 0) + seconds * share;
    }
  }
  return ranges.some(({ seconds }) => seconds > 0) ? zones.map(Math.round) : null;
}

/** Adds heart rate zones to the workout, computed from its stream, if the provider sends none. */
export function withZones(user: Pick<PullUser, 'birthDate'>, workout: Summary, data: WorkoutStream['data']): Summary {
  if (workout.data['hr_zones'] != null || workout.calendarDate === null) return workout;
  const zones = secondsInZones(data, maximumHeartRate(user, workout.calendarDate));
  return zones === null ? workout : { ...workout, data: { ...workout.data, hr_zones: zones } };
}

/** Adds heart rate zones to the workouts whose streams are among the records. */
export function withZonesOfStreams(user: Pick<PullUser, 'birthDate'>, records: readonly CanonicalRecord[]): readonly CanonicalRecord[] {
  const streams = new Map(records.flatMap((record) => (record.kind === 'stream' ? [[record.workoutId, record.data] as const] : [])));
  return records.map((record) => {
    const data = record.kind === 'summary' && record.resource === 'workouts' ? streams.get(record.id) : undefined;
    return data === undefined ? record : withZones(user, record as Summary, data);
  });
}
