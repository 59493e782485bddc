import type { Summary } from '@pulsewire/contract';
import { app } from './items.ts';
import { noonOf } from '../records/meals/meal-hour.ts';
import { readEnergy } from '../records/meals/nutritional-contents.ts';
import type { RecordMaker } from '../records/record-maker.ts';
import { workoutRecord } from '../records/workout-record.ts';
import { parseInstant } from '../time/time.ts';
import type { JsonNode } from '../values/json-node.ts';
import { roundTo } from '../values/numbers.ts';
import { sportByWords } from '../values/sport-by-words.ts';

/**
 * True for a row with which MyFitnessPal adjusts the day's energy by what a tracker counted. Such a row is listed among the exercises
 * and is no workout. The flag is on the row or on its exercise; `deleted` of the exercise says nothing about the row.
 */
function isCalorieAdjustment(entry: JsonNode): boolean {
  return entry.at('is_calorie_adjustment').value === true || entry.at('exercise').at('is_calorie_adjustment').value === true;
}

const metresPer: Readonly<Record<string, number>> = { meters: 1, kilometers: 1000, miles: 1609.344, feet: 0.3048 };

/** A length of MyFitnessPal with its unit, in metres; null when it is missing, a bare number, or in an unknown unit. */
function readMeasuredLength(measured: JsonNode): number | null {
  const unit = measured.at('unit').value;
  const factor = typeof unit === 'string' && Object.hasOwn(metresPer, unit) ? metresPer[unit] : undefined;
  if (factor === undefined) return null;
  const value = measured.at('value').optional((node) => node.amount());
  return value === null ? null : roundTo(value * factor, 2);
}

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
