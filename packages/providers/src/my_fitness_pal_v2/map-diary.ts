import type { CanonicalRecord, Quarantined, Sample, Summary } from '@pulsewire/contract';
import { mealRecord } from '../kit/records/meals/meal-record.ts';
import { isCalorieAdjustment } from '../kit/records/meals/calorie-adjustment.ts';
import { readMeasuredLength } from '../kit/records/measured-length.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { workoutRecord } from '../kit/records/workout-record.ts';
import { addDays } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import { readEach, type JsonNode } from '../kit/values/json-node.ts';
import { readEnergy, readNutritionalContents } from '../kit/records/meals/nutritional-contents.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { sportByWords } from '../kit/values/sport-by-words.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { app, noonOf } from './my-fitness-pal.ts';
import { itemsOf } from './read-items.ts';

interface Meal {
  readonly record: Summary;
  readonly at: number;
  readonly carbs: number | null;
  readonly offset: number | null;
}

function readMeal(item: JsonNode, context: RecordMaker): Meal {
  const day = item.at('date').day();
  const total = readNutritionalContents(item.at('nutritional_contents'));
  const { ms: at, offset } = noonOf(day, context);
  const record = mealRecord(context, { day, name: item.at('diary_meal').words(), at, sourceType: app, total });
  return { record, at, carbs: total.carbs, offset };
}

function readWorkout(item: JsonNode, context: RecordMaker): Summary | undefined {
  if (isCalorieAdjustment(item)) return undefined;
  const day = item.at('date').day();
  const title = item
    .at('exercise')
    .at('description')
    .optional((node) => node.words());
  // Written with an offset and returned in UTC, so the zone comes from the account.
  const started = item.at('start_time').optional((node) => node.time(parseInstant).ms);
  const zone = context.zoneOn(day);
  const startMs = started ?? noonOf(day, context).ms;
  const seconds = item.at('duration').optional((node) => Math.round(node.amount())) ?? 0;
  const whole = (key: string) => item.at(key).optional((node) => Math.round(node.amount()));
  return workoutRecord(context, {
    raw: item,
    externalId: item.at('id').id(),
    sourceType: app,
    day,
    startMs,
    endMs: startMs + seconds * 1000,
    offset: zone.offsetAt(startMs),
    title,
    sport: sportByWords(title ?? ''),
    data: {
      calories: readEnergy(item.at('energy')),
      average_hr: whole('avg_heart_rate'),
      max_hr: whole('max_heart_rate'),
      distance: readMeasuredLength(item.at('distance')),
      moving_time: seconds === 0 ? null : seconds,
      total_elevation_gain: readMeasuredLength(item.at('elevation_change')),
    },
  });
}

interface DaySteps {
  readonly item: JsonNode;
  readonly day: string;
  readonly steps: number;
  readonly isPrimary: boolean;
}

/** Totals of each source that counted: the user's chosen one, otherwise the largest, never their sum. */
function chooseSteps(totals: readonly DaySteps[]): readonly DaySteps[] {
  const byDay = Map.groupBy(totals, ({ day }) => day);
  return [...byDay.values()].map((ofDay) => {
    return ofDay.find(({ isPrimary }) => isPrimary) ?? ofDay.reduce((a, b) => (b.steps > a.steps ? b : a));
  });
}

function stepsRecords({ item, day, steps }: DaySteps, context: RecordMaker): CanonicalRecord[] {
  const zone = context.zoneOn(day);
  const start = zone.startOfDay(day);
  const sample: Sample = { ts: start.ms, end: zone.startOfDay(addDays(day, 1)).ms, value: steps, timezoneOffset: start.offset };
  const data = { steps, time_zone: zone.name, timezone_offset: start.offset };
  return [
    context.summary({ resource: 'activity', sourceType: app, externalId: day, calendarDate: day, at: start.ms, data, raw: item }),
    ...context.samples('steps', app, [sample]),
  ];
}

const workoutTypes: ReadonlySet<unknown> = new Set(['exercise', 'exercise_entry']);
const readTypes: ReadonlySet<unknown> = new Set([...workoutTypes, 'diary_meal', 'steps_aggregate']);

/** The diary of one day: meals with their carbohydrates, workouts, and the steps of the source that the user chose. */
export function mapDiary(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const meals: Meal[] = [];
  const totals: DaySteps[] = [];
  const workouts = readEach('diary', itemsOf(body), quarantined, (item): Summary | undefined => {
    const { value: type } = item.at('type');
    if (type === 'diary_meal') meals.push(readMeal(item, context));
    if (type === 'steps_aggregate')
      totals.push({ item, day: item.at('date').day(), steps: item.at('steps').amount(), isPrimary: item.at('primary').value === true });
    // Only these types were requested. Without its type an entry may be any of them, so what it was may not count as deleted.
    if (!readTypes.has(type)) throw item.at('type').fail('unknown_shape');
    return workoutTypes.has(type) ? readWorkout(item, context) : undefined;
  });
  // Meals of one day have one time: their carbohydrates are one sample.
  const carbs = new Map<number, Sample>();
  for (const { at, carbs: grams, offset } of meals) {
    if (grams === null) continue;
    carbs.set(at, { ts: at, end: at, value: roundTo((carbs.get(at)?.value ?? 0) + grams, 3), timezoneOffset: offset });
  }
  const records = [
    ...meals.map(({ record }) => record),
    ...context.samples('carbohydrates', app, [...carbs.values()]),
    ...workouts,
    ...chooseSteps(totals).flatMap((total) => stepsRecords(total, context)),
  ];
  return { records, quarantined };
}
