import type { CanonicalRecord } from '@pulsewire/contract';
import { mapEach } from '../../kit/records/map-records.ts';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { sportSlugOf } from '../sports.ts';
import { dayAt, isScored, readKilocalories, readRounded, readSeconds, readSpan, strap, type WhoopContext } from '../whoop.ts';

/** WHOOP's zones are ours: below 50 percent of the maximum heart rate, then in steps of ten. */
const zones = ['zone_zero', 'zone_one', 'zone_two', 'zone_three', 'zone_four', 'zone_five'] as const;

function readZones(node: JsonNode): number[] | null {
  return node.optional((durations) => zones.map((zone) => readSeconds(durations.at(`${zone}_milli`))));
}

function readWorkout(item: JsonNode, window: PullWindow | null, context: WhoopContext): CanonicalRecord | undefined {
  const externalId = item.at('id').text();
  const { startMs, endMs, offset } = readSpan(item);
  item.at('user_id').id();
  const sport = item.at('sport_name').optional((node) => node.text()) ?? '';
  // Not scored yet; an update is pushed when its figures are available.
  if (item.at('score_state').value === 'PENDING_SCORE') return undefined;
  if (endMs === null) throw item.at('end').fail('bad_time');
  const day = dayAt(startMs, offset, context);
  if (!isWithin(day, window)) return undefined;
  // A workout that could not be scored still took place; its score is ignored.
  const score = isScored(item) ? item.at('score') : new JsonNode(undefined);
  const amount = (key: string) => score.at(key).optional((node) => node.amount());
  return workoutRecord(context, {
    raw: item,
    externalId,
    sourceType: strap,
    day,
    startMs,
    endMs,
    offset,
    title: null,
    sport: sportSlugOf(sport),
    data: {
      calories: readKilocalories(score.at('kilojoule')),
      distance: amount('distance_meter'),
      average_hr: readRounded(score.at('average_heart_rate')),
      max_hr: readRounded(score.at('max_heart_rate')),
      total_elevation_gain: amount('altitude_gain_meter'),
      hr_zones: readZones(score.at('zone_durations')),
    },
  });
}

export function removeWorkout(externalId: string, context: WhoopContext): CanonicalRecord[] {
  return [context.removal({ resource: 'workouts', sourceType: strap, externalId })];
}

/** A page of `/v2/activity/workout`. */
export function mapWorkouts(body: unknown, window: PullWindow | null, context: WhoopContext): MappedRecords {
  return mapEach('workouts', new JsonNode(body).at('records'), (item) => readWorkout(item, window, context));
}
