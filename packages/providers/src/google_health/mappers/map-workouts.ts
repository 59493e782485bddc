import type { CanonicalRecord, Quarantined, Sample, Summary, WorkoutStream } from '@pulsewire/contract';
import { deviceOfPoint } from '../account.ts';
import { keyOf } from '../data-points.ts';
import { sourceOfPoint } from '../device-types.ts';
import { isUnderWay, readCivilDate, readEachPoint, readInterval, readPointId, readSeconds } from '../read-point.ts';
import { sportSlug } from '../sports.ts';
import { maximumHeartRate, withZones, zonesOfRanges } from '../../kit/records/heart-rate-zones.ts';
import { isWithin, leaveOut } from '../../kit/records/left-out.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import type { MappedRecords, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { readWhole, type JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';

/** The data type with the bounds of the user's heart rate zones on a day. */
export const zonesType = 'daily-heart-rate-zones';

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Bounds in bpm by day and zone. */
export type ZoneBounds = ReadonlyMap<string, ReadonlyMap<string, Bounds>>;

/** Pages of `daily-heart-rate-zones`. */
export function readZoneBounds(bodies: readonly unknown[], quarantined: Quarantined[]): ZoneBounds {
  const readDay = (point: JsonNode) => {
    const value = point.at(keyOf(zonesType));
    const zones = value.at('heartRateZones').itemsOrNone();
    const readZone = (zone: JsonNode): [string, Bounds] => [
      zone.at('heartRateZoneType').text(),
      { low: zone.at('minBeatsPerMinute').amount(), high: zone.at('maxBeatsPerMinute').amount() },
    ];
    return [readCivilDate(value.at('date')), new Map(zones.map(readZone))] as const;
  };
  return new Map(bodies.flatMap((body) => readEachPoint('workouts', body, quarantined, readDay)));
}

const zoneTimes = { LIGHT: 'lightTime', MODERATE: 'moderateTime', VIGOROUS: 'vigorousTime', PEAK: 'peakTime' } as const;

/** Google's four zones, whose bounds are the user's own, as the six of the contract: an estimate. Null without times or bounds. */
function readZones(metrics: JsonNode, bounds: ReadonlyMap<string, Bounds> | undefined, maximum: number): readonly number[] | null {
  const times = metrics.at('heartRateZoneDurations');
  const ranges = Object.entries(zoneTimes).flatMap(([zone, key]) => {
    const range = bounds?.get(zone);
    const seconds = times.at(key).optional(readSeconds);
    return range === undefined || seconds === null ? [] : [{ ...range, seconds }];
  });
  return zonesOfRanges(ranges, maximum);
}

const metresOf = (node: JsonNode): number | null => node.optional((value) => roundTo(value.amount() / 1000, 2));
const wholeOf = (node: JsonNode): number | null => node.optional((value) => Math.round(value.amount()));

interface WorkoutContext {
  readonly window: PullWindow;
  readonly context: RecordMaker;
  readonly bounds: ZoneBounds;
  readonly quarantined: Quarantined[];
}

interface ReadWorkout {
  readonly startMs: number;
  readonly endMs: number;
  /** Without any figure: what a tracker recognised by itself. */
  readonly isBare: boolean;
  readonly records: readonly CanonicalRecord[];
}

function isBare(point: JsonNode): boolean {
  const { notes, metricsSummary: metrics } = (point.at('exercise').value ?? {}) as {
    readonly notes?: unknown;
    readonly metricsSummary?: unknown;
  };
  const isDeliberate = point.at('dataSource').at('recordingMethod').value === 'MANUAL' || notes != null;
  return !isDeliberate && Object.keys(metrics ?? {}).length === 0;
}

/** Often a tracker recognises again, without figures, what the person recorded: then only the latter is a workout. */
const isCopy = (one: ReadWorkout, all: readonly ReadWorkout[]): boolean =>
  one.isBare && all.some((other) => !other.isBare && other.startMs < one.endMs && one.startMs < other.endMs);

function readWorkout(point: JsonNode, { window, context, bounds, quarantined }: WorkoutContext): ReadWorkout | undefined {
  const exercise = point.at('exercise');
  if (isUnderWay(exercise)) {
    leaveOut(window, 'unfinished');
    return undefined;
  }
  const { start, end } = readInterval(exercise, context);
  const { day } = start;
  if (!isWithin(day, window)) return undefined;
  const { type: sourceType, formerly } = sourceOfPoint(point, context.user, start.ms);
  const externalId = readPointId(point);
  const metrics = exercise.at('metricsSummary');
  const distance = metresOf(metrics.at('distanceMillimeters'));
  const activeSeconds = exercise.at('activeDuration').optional(readSeconds);
  const maximum = maximumHeartRate(context.user, day);
  const workout = workoutRecord(context, {
    raw: point,
    externalId,
    sourceType,
    day,
    startMs: start.ms,
    endMs: end.ms,
    offset: start.offset,
    offsetFrom: start.offsetFrom,
    title: exercise.at('displayName').optional((node) => node.words()),
    sport: sportSlug(exercise.at('exerciseType').optional((node) => node.text()) ?? 'OTHER'),
    data: {
      average_hr: wholeOf(metrics.at('averageHeartRateBeatsPerMinute')),
      hr_zones: readWhole('workouts', quarantined, () => readZones(metrics, bounds.get(day), maximum)) ?? null,
      distance,
      calories: metrics.at('caloriesKcal').optional((node) => roundTo(node.amount(), 2)),
      moving_time: activeSeconds,
      total_elevation_gain: metresOf(metrics.at('elevationGainMillimeters')),
      average_speed: metrics.at('averageSpeedMillimetersPerSecond').optional((node) => roundTo(node.amount() / 1000, 3)),
      steps: wholeOf(metrics.at('steps')),
    },
  });
  const times = { ts: start.ms, end: end.ms, timezoneOffset: start.offset, offsetFrom: start.offsetFrom };
  const series = (resource: string, sample: Pick<Sample, 'value' | 'extra'>) =>
    context.samples(resource, sourceType, [{ ...times, ...sample }]);
  const seconds = activeSeconds ?? (end.ms - start.ms) / 1000;
  const records = recordedBy<CanonicalRecord>(deviceOfPoint(point, context), [
    workout,
    // Google states no intensity.
    ...series('workout_duration', { value: roundTo(seconds / 60, 3), extra: { intensity: null } }),
    ...(distance === null ? [] : series('workout_distance', { value: distance })),
  ]);
  const removals: CanonicalRecord[] =
    formerly === null
      ? []
      : [
          context.removal({ resource: 'workouts', sourceType: formerly, externalId }),
          context.sampleRemoval('workout_duration', formerly, [start.ms]),
          context.sampleRemoval('workout_distance', formerly, [start.ms]),
        ];
  return { startMs: start.ms, endMs: end.ms, isBare: isBare(point), records: [...records, ...removals] };
}

/** Pages of `exercise` as the workouts that start in the window, with their durations and distances. */
export function mapWorkouts(
  bodies: readonly unknown[],
  window: PullWindow,
  context: RecordMaker,
  bounds: ZoneBounds = new Map(),
): MappedRecords {
  const quarantined: Quarantined[] = [];
  const read = (point: JsonNode) => readWorkout(point, { window, context, bounds, quarantined });
  const workouts = bodies.flatMap((body) => readEachPoint('workouts', body, quarantined, read));
  return { records: workouts.flatMap((workout) => (isCopy(workout, workouts) ? [] : workout.records)), quarantined };
}

/** The workout with what only its stream tells: the maximum heart rate, and zones that are no estimate. */
export function withStream(user: PullUser, workout: Summary, { data }: WorkoutStream): Summary {
  const rates = (data.heartrate ?? []).filter((rate) => rate !== null && rate > 0);
  if (rates.length === 0) return workout;
  const highest = rates.reduce((a, b) => Math.max(a ?? 0, b ?? 0), 0);
  return withZones(user, { ...workout, data: { ...workout.data, hr_zones: null, max_hr: Math.round(highest ?? 0) } }, data);
}
