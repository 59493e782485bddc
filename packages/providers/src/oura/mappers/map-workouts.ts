import type { CanonicalRecord } from '@pulsewire/contract';
import { mapEach } from '../../kit/records/map-records.ts';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { ring, type OuraContext } from '../oura.ts';
import { sportSlugOf } from '../sports.ts';

function readWorkout(item: JsonNode, window: PullWindow | null, context: OuraContext): CanonicalRecord | undefined {
  const externalId = item.at('id').id();
  const day = item.at('day').day();
  const activity = item.at('activity').text();
  const start = item.at('start_datetime').time(parseInstant);
  const end = item.at('end_datetime').time(parseInstant);
  if (end.ms < start.ms) throw item.at('end_datetime').fail('bad_time');
  if (!isWithin(day, window)) return undefined;
  return workoutRecord(context, {
    raw: item,
    externalId,
    sourceType: ring,
    day,
    startMs: start.ms,
    endMs: end.ms,
    offset: start.offset,
    title: item.at('label').optional((node) => node.words()),
    sport: sportSlugOf(activity),
    data: {
      calories: item.at('calories').optional((node) => node.amount()),
      distance: item.at('distance').optional((node) => node.amount()),
    },
  });
}

export function removeWorkout(externalId: string, context: OuraContext): CanonicalRecord[] {
  return [context.removal({ resource: 'workouts', sourceType: ring, externalId })];
}

/** `workout`: summaries; Oura has neither a track nor a heart rate for them. */
export function mapWorkouts(body: unknown, window: PullWindow | null, context: OuraContext): MappedRecords {
  return mapEach('workouts', new JsonNode(body).at('data'), (item) => readWorkout(item, window, context));
}
