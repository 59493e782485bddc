import type { CanonicalRecord, Quarantined, Sample, Summary } from '@pulsewire/contract';
import { app, itemsOf } from './items.ts';
import { readWorkout } from './read-workout.ts';
import { addUp } from '../records/add-up.ts';
import { mealRecord } from '../records/meals/meal-record.ts';
import { readNutritionalContents } from '../records/meals/nutritional-contents.ts';
import type { RecordMaker } from '../records/record-maker.ts';
import { addDays } from '../time/days.ts';
import type { LocalInstant } from '../time/zone.ts';
import type { MappedRecords } from '../types/connector.ts';
import { readEach, type JsonNode } from '../values/json-node.ts';
import { roundTo } from '../values/numbers.ts';

/** How a diary is read. */
export interface DiaryReading {
  /** The diary has days without times. */
  mealTime(day: string, name: string, context: RecordMaker): LocalInstant;
  /** Types of entries that come unrequested and are not read. Any other unknown one is quarantined. */
  readonly leftOut: readonly string[];
  /** Only the app's own tokens may read water. */
  readonly hasWater: boolean;
}

interface Meal {
  readonly record: Summary;
  readonly at: number;
  readonly carbs: number | null;
  readonly offset: number | null;
}

function readMeal(item: JsonNode, context: RecordMaker, mealTime: DiaryReading['mealTime']): Meal {
  const day = item.at('date').day();
  const name = item.at('diary_meal').words();
  const total = readNutritionalContents(item.at('nutritional_contents'));
  const { ms: at, offset } = mealTime(day, name, context);
  const record = mealRecord(context, { day, name, at, sourceType: app, total });
  return { record, at, carbs: total.carbs, offset };
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

const millilitresPerCup = 236.588;

/** Millilitres; some entries state cups only. */
function readWater(item: JsonNode): number {
  const millilitres = item.at('milliliters').optional((node) => node.amount());
  return millilitres ?? roundTo(item.at('cups').amount() * millilitresPerCup, 1);
}

/** The water of each day: the entries have no time. */
function waterSamples(drunk: readonly { readonly day: string; readonly value: number }[], context: RecordMaker): Sample[] {
  return [...Map.groupBy(drunk, ({ day }) => day)].map(([day, entries]) => {
    const zone = context.zoneOn(day);
    const { ms, offset } = zone.startOfDay(day);
    const value = roundTo(
      entries.reduce((sum, entry) => sum + entry.value, 0),
      1,
    );
    return { ts: ms, end: zone.startOfDay(addDays(day, 1)).ms, value, timezoneOffset: offset };
  });
}

const workoutTypes: ReadonlySet<unknown> = new Set(['exercise', 'exercise_entry']);
const readTypes: ReadonlySet<unknown> = new Set([...workoutTypes, 'diary_meal', 'steps_aggregate']);

/** The diary of one day: meals with their carbohydrates, workouts, and the steps of the source that the user chose. */
export function mapDiaryItems(body: unknown, context: RecordMaker, { mealTime, leftOut, hasWater }: DiaryReading): MappedRecords {
  const quarantined: Quarantined[] = [];
  const meals: Meal[] = [];
  const totals: DaySteps[] = [];
  const drunk: { readonly day: string; readonly value: number }[] = [];
  const workouts = readEach('diary', itemsOf(body), quarantined, (item): Summary | undefined => {
    const { value: type } = item.at('type');
    const isWater = type === 'water' && hasWater;
    if (isWater) drunk.push({ day: item.at('date').day(), value: readWater(item) });
    if (type === 'diary_meal') meals.push(readMeal(item, context, mealTime));
    if (type === 'steps_aggregate')
      totals.push({ item, day: item.at('date').day(), steps: item.at('steps').amount(), isPrimary: item.at('primary').value === true });
    // Without its type an entry may be any of them, so what it was may not count as deleted.
    const isKnown = isWater || readTypes.has(type) || (typeof type === 'string' && leftOut.includes(type));
    if (!isKnown) throw item.at('type').fail('unknown_shape');
    return workoutTypes.has(type) ? readWorkout(item, item.at('date').day(), context) : undefined;
  });
  const carbs = meals.flatMap(({ at, carbs: value, offset }) => (value === null ? [] : { ts: at, end: at, value, timezoneOffset: offset }));
  const records = [
    ...meals.map(({ record }) => record),
    // Meals with one time have one sample of carbohydrates.
    ...context.samples('carbohydrates', app, addUp(carbs)),
    ...workouts,
    ...context.samples(
      'water',
      app,
      waterSamples(drunk, context).filter(({ value }) => value !== 0),
    ),
    ...chooseSteps(totals).flatMap((total) => stepsRecords(total, context)),
  ];
  return { records, quarantined };
}
