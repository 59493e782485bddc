import type { Summary } from '@pulsewire/contract';
import { isCalorieAdjustment } from '../records/meals/calorie-adjustment.ts';
import { noonOf } from '../records/meals/meal-hour.ts';
import { readMeasuredLength } from '../records/measured-length.ts';
import { readEnergy } from '../records/meals/nutritional-contents.ts';
import type { RecordMaker } from '../records/record-maker.ts';
import { workoutRecord } from '../records/workout-record.ts';
import { parseInstant } from '../time/time.ts';
import type { JsonNode } from '../values/json-node.ts';
import { sportByWords } from '../values/sport-by-words.ts';
import { app } from './items.ts';

/** A row of the exercise diary; undefined when it is no workout. */
export function readWorkout(entry: JsonNode, day: string, context: RecordMaker): Summary | undefined {
  if (isCalorieAdjustment(entry)) return undefined;
  const title = entry
    .at('exercise')
    .at('description')
    .optional((node) => node.words());
  const zone = context.zoneOn(day);
  // Written with an offset and returned in UTC, so the zone comes from the user.
  const startMs = entry.at('start_time').optional((node) => node.time(parseInstant).ms) ?? noonOf(day, context).ms;
  const seconds = entry.at('duration').optional((node) => Math.round(node.amount())) ?? 0;
  const whole = (key: string) => entry.at(key).optional((node) => Math.round(node.amount()));
  return workoutRecord(context, {
    raw: entry,
    externalId: entry.at('id').id(),
    sourceType: app,
    day,
    startMs,
    endMs: startMs + seconds * 1000,
    offset: zone.offsetAt(startMs),
    title,
    sport: sportByWords(title ?? ''),
    data: {
      calories: readEnergy(entry.at('energy')),
      average_hr: whole('avg_heart_rate'),
      max_hr: whole('max_heart_rate'),
      // A bare number has no unit.
      distance: readMeasuredLength(entry.at('distance')),
      moving_time: seconds === 0 ? null : seconds,
      total_elevation_gain: readMeasuredLength(entry.at('elevation_change')),
    },
  });
}
