import type { Quarantined, Summary } from '@pulsewire/contract';
import { rawOfParts } from '../kit/records/raw-of.ts';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { workoutRecord } from '../kit/records/workout-record.ts';
import type { ListedActivity } from './activity.ts';
import { app } from './zwift.ts';

/** A listed activity and its own page (`null` when there is none). Zeros in sensor values mean that there was no sensor. */
export function mapWorkout(
  activity: ListedActivity,
  detail: unknown,
  context: RecordMaker,
  quarantined: Quarantined[],
): Summary | undefined {
  const page = new JsonNode(detail);
  const field = (key: string): JsonNode => (page.at(key).isMissing ? activity.node.at(key) : page.at(key));
  const amount = (key: string, digits = 2) => field(key).optional((node) => roundTo(node.amount(), digits));
  const measured = (key: string, digits = 2) => amount(key, digits) || null;
  const seconds = (key: string) => field(key).optional((node) => Math.round(node.amount() / 1000));
  return readWhole('workouts', quarantined, () =>
    workoutRecord(context, {
      raw: page.isMissing ? activity.node : rawOfParts({ listed: activity.node, page }),
      externalId: activity.id,
      sourceType: app,
      day: activity.day,
      startMs: activity.startMs,
      endMs: activity.endMs,
      offset: activity.offset,
      title: field('name').optional((node) => node.words()),
      sport: activity.sport,
      data: {
        distance: amount('distanceInMeters'),
        calories: amount('calories'),
        total_elevation_gain: amount('totalElevation'),
        moving_time: seconds('movingTimeInMs'),
        average_hr: measured('avgHeartRate', 0),
        max_hr: measured('maxHeartRate', 0),
        average_watts: measured('avgWatts'),
        max_watts: measured('maxWatts'),
        average_speed: measured('avgSpeedInMetersPerSecond'),
        max_speed: measured('maxSpeedInMetersPerSecond'),
      },
    }),
  );
}
