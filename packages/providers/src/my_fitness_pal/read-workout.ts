import type { CanonicalRecord } from '@pulsewire/contract';
import { isCalorieAdjustment } from '../kit/records/meals/calorie-adjustment.ts';
import { readMeasuredLength } from '../kit/records/measured-length.ts';
import { readEnergy } from '../kit/records/meals/nutritional-contents.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { workoutRecord } from '../kit/records/workout-record.ts';
import { utcMidnight } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { sportByWords } from '../kit/values/sport-by-words.ts';
import { app } from './my-fitness-pal.ts';

const hourMs = 3_600_000;

/** A row of the exercise diary; undefined when it is no workout. */
export function readWorkout(entry: JsonNode, day: string, context: RecordMaker): CanonicalRecord | undefined {
  if (isCalorieAdjustment(entry)) return undefined;
  const title = entry
    .at('exercise')
    .at('description')
    .optional((node) => node.words());
  const zone = context.zoneOn(day);
  const startMs =
    entry.at('start_time').optional((node) => node.time(parseInstant).ms) ?? zone.toInstant(utcMidnight(day) + 12 * hourMs).ms;
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
