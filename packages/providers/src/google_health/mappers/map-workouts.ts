import type { Quarantined, Summary } from '@pulsewire/contract';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { isUnderWay, readEachPoint, readInterval, readPointId, readSeconds, readSourceType } from '../read-point.ts';
import { sportSlug } from '../sports.ts';

const metresOf = (node: JsonNode): number | null => node.optional((value) => roundTo(value.amount() / 1000, 2));
const wholeOf = (node: JsonNode): number | null => node.optional((value) => Math.round(value.amount()));

function readWorkout(point: JsonNode, { startDate, endDate }: PullWindow, context: RecordMaker): Summary | undefined {
  const exercise = point.at('exercise');
  if (isUnderWay(exercise)) return undefined;
  const { start, end } = readInterval(exercise, context);
  if (start.day < startDate || start.day > endDate) return undefined;
  const type = exercise.at('exerciseType').optional((node) => node.text()) ?? 'OTHER';
  const metrics = exercise.at('metricsSummary');
  const speed = metrics.at('averageSpeedMillimetersPerSecond').optional((node) => roundTo(node.amount() / 1000, 3));
  return workoutRecord(context, {
    raw: point,
    externalId: readPointId(point),
    sourceType: readSourceType(point),
    day: start.day,
    startMs: start.ms,
    endMs: end.ms,
    offset: start.offset,
    offsetFrom: start.offsetFrom,
    title: exercise.at('displayName').optional((node) => node.words()),
    sport: sportSlug(type),
    data: {
      average_hr: wholeOf(metrics.at('averageHeartRateBeatsPerMinute')),
      distance: metresOf(metrics.at('distanceMillimeters')),
      calories: metrics.at('caloriesKcal').optional((node) => roundTo(node.amount(), 2)),
      moving_time: exercise.at('activeDuration').optional(readSeconds),
      total_elevation_gain: metresOf(metrics.at('elevationGainMillimeters')),
      average_speed: speed,
      steps: wholeOf(metrics.at('steps')),
    },
  });
}

/** A page of `exercise` as the workouts that start in the window. */
export function mapWorkouts(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  return { records: readEachPoint('workouts', body, quarantined, (point) => readWorkout(point, window, context)), quarantined };
}
