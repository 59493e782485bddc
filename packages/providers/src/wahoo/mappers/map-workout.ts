import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { withZones } from '../../kit/records/heart-rate-zones.ts';
import type { FitFigure, FitWorkout } from '../../kit/fit/fit-workout.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import { readWhole, type JsonNode } from '../../kit/values/json-node.ts';
import { sportOf } from '../../kit/values/sports.ts';
import { isOnTrainer, wahooSport } from '../sports.ts';
import { app } from '../wahoo.ts';
import { deviceOfWorkout, readStart, type DoneWorkout } from '../workout.ts';

const [watch, machine, unknown] = ['watch', 'exercise_machine', 'unknown'] as const;

/** A head unit is no kind of source in the contract. */
function sourceTypeOf({ workout, summary }: DoneWorkout, type: number | null): string {
  if (summary.at('manual').value === true) return app;
  const token = workout.at('workout_token').value;
  if (typeof token === 'string' && token.startsWith('ELEMNT RIVAL')) return watch;
  return isOnTrainer(type) ? machine : unknown;
}

function readWorkout(done: DoneWorkout, file: FitWorkout | null, context: RecordMaker, quarantined: Quarantined[]): CanonicalRecord[] {
  const { id, workout, summary } = done;
  /** Decimals are strings. A figure that cannot be read does not cost the workout. */
  const amount = (node: JsonNode) => readWhole('workouts', quarantined, () => node.optional((inner) => inner.amount())) ?? null;
  /** Without its sensor a figure is missing, null, empty or zero. */
  const measured = (node: JsonNode) => amount(node) || null;
  const start = readStart(done, file, context);
  const type = workout.at('workout_type_id').optional((node) => node.number());
  const seconds = amount(summary.at('duration_total_accum')) ?? file?.elapsedSeconds ?? workout.at('minutes').amount() * 60;
  const figure = (name: FitFigure) => file?.figures[name] ?? null;
  const [heart, moving] = [measured(summary.at('heart_rate_avg')), amount(summary.at('duration_active_accum'))];
  const title = [summary, workout]
    .map((node) => node.at('name').optional((inner) => inner.words()))
    .find((name) => name !== null && name !== '');
  const sport = file?.sport ?? wahooSport(type);
  const device = deviceOfWorkout(done, context);
  const record = workoutRecord(context, {
    raw: workout,
    externalId: id,
    sourceType: sourceTypeOf(done, type),
    day: start.day,
    startMs: start.ms,
    endMs: Math.round(start.ms + seconds * 1000),
    offset: start.offset,
    offsetFrom: start.offsetFrom,
    title: title ?? null,
    sport,
    data: {
      distance: amount(summary.at('distance_accum')),
      calories: amount(summary.at('calories_accum')),
      total_elevation_gain: amount(summary.at('ascent_accum')),
      moving_time: moving === null ? null : Math.round(moving),
      average_hr: heart === null ? null : Math.round(heart),
      max_hr: figure('max_hr'),
      average_speed: measured(summary.at('speed_avg')),
      max_speed: figure('max_speed'),
      average_watts: measured(summary.at('power_avg')),
      weighted_average_watts: measured(summary.at('power_bike_np_last')),
      max_watts: figure('max_watts'),
      elev_high: figure('elev_high'),
      elev_low: figure('elev_low'),
    },
  });
  if (!file?.data) return [...recordedBy(device, [record])];
  const { data } = file;
  const stream = {
    kind: 'stream',
    resource: 'workout_stream',
    workoutId: record.id,
    providerId: id,
    sport: sportOf(sport),
    source: record.source,
    data,
  } as const;
  return [...recordedBy<CanonicalRecord>(device, [withZones(context.user, record, data), stream])];
}

/** A workout with its summary, and what its FIT file adds. */
export function mapWorkout(
  done: DoneWorkout,
  file: FitWorkout | null,
  context: RecordMaker,
  quarantined: Quarantined[],
): CanonicalRecord[] {
  return readWhole('workouts', quarantined, () => readWorkout(done, file, context, quarantined)) ?? [];
}

/** The kind of source, which is part of a record's identity, is that of the response that no longer exists. */
export function removeWorkout(externalId: string, context: RecordMaker): CanonicalRecord[] {
  return [app, watch, machine, unknown].map((sourceType) => context.removal({ resource: 'workouts', sourceType, externalId }));
}
