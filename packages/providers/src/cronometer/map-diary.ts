import type { Quarantined, Sample, Summary } from '@pulsewire/contract';
import { addUp } from '../kit/records/add-up.ts';
import { usualMealTime } from '../kit/records/meals/meal-hour.ts';
import { mealRecord, sumNutrients, type FoodNutrients, type MealParts } from '../kit/records/meals/meal-record.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { addDays } from '../kit/time/days.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode, readEach, readWhole } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { app } from './cronometer.ts';
import { nutrientOf, readDayTotal, readMacros, readMicros } from './nutrients.ts';

interface Group {
  readonly name: string;
  readonly total: FoodNutrients;
  readonly foods: readonly string[];
}

/** A group of foods. An empty one is only a heading of the diary, not a meal. */
function readGroup(node: JsonNode): Group | undefined {
  const foods = node
    .at('foods')
    .itemsOrNone()
    .map((food) => food.at('name').words());
  const total = readMacros(node.at('macros'));
  if (foods.length === 0 && (total.energy ?? 0) === 0) return undefined;
  return { name: node.at('name').words(), total, foods };
}

const unknownNutrients = sumNutrients([]);

interface Eaten {
  readonly meals: readonly Summary[];
  readonly carbs: readonly Sample[];
}

function buildMeal(parts: Pick<MealParts, 'day' | 'name' | 'total' | 'micros' | 'foods'>, context: RecordMaker): Eaten {
  const { ms, offset } = usualMealTime(parts.day, parts.name, context);
  const { carbs } = parts.total;
  return {
    meals: [mealRecord(context, { ...parts, at: ms, sourceType: app })],
    carbs: carbs === null ? [] : [{ ts: ms, end: ms, value: carbs, timezoneOffset: offset }],
  };
}

/** People name the groups themselves, so a name may occur twice in a day. */
function readGroups(day: string, foods: JsonNode, context: RecordMaker, quarantined: Quarantined[]): Eaten[] {
  const groups = readEach('meal', foods, quarantined, readGroup);
  return [...Map.groupBy(groups, ({ name }) => name)].map(([name, same]) => {
    const eaten = same.flatMap((group) => group.foods.map((food) => ({ name: food, nutrients: unknownNutrients })));
    return buildMeal({ day, name, total: sumNutrients(same.map(({ total }) => total)), foods: eaten }, context);
  });
}

/** The whole day as one meal, where the diary is not divided. */
function readUndivided(day: string, node: JsonNode, context: RecordMaker): Eaten[] {
  const total = readDayTotal(node);
  if ((total.energy ?? 0) === 0) return [];
  return [buildMeal({ day, name: 'Day', total, micros: readMicros(node.at('nutrients')) }, context)];
}

/** One sample over the whole day, because the time of day is unknown. */
function wholeDay(day: string, value: number | null, context: RecordMaker): Sample[] {
  if (value === null) return [];
  const zone = context.zoneOn(day);
  const { ms, offset } = zone.startOfDay(day);
  return [{ ts: ms, end: zone.startOfDay(addDays(day, 1)).ms, value, timezoneOffset: offset }];
}

interface Day {
  readonly eaten: readonly Eaten[];
  readonly water: readonly Sample[];
  readonly caffeine: readonly Sample[];
}

function readDay(node: JsonNode, context: RecordMaker, quarantined: Quarantined[]): Day {
  const day = node.at('day').day();
  const foods = node.at('foods');
  const amountOf = (resource: string, name: string) =>
    readWhole(resource, quarantined, () => nutrientOf(node.at('nutrients'), name)) ?? null;
  const caffeineMg = amountOf('caffeine', 'Caffeine');
  return {
    eaten: foods.isMissing ? readUndivided(day, node, context) : readGroups(day, foods, context, quarantined),
    // A gram of water is a millilitre.
    water: wholeDay(day, amountOf('water', 'Water'), context),
    caffeine: wholeDay(day, caffeineMg === null ? null : roundTo(caffeineMg / 1000, 6), context),
  };
}

/** Days of the diary: a meal for each group of foods, the carbohydrates of each, and the water and caffeine of the day. */
export function mapDiary(days: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const read = readEach('meal', new JsonNode(days), quarantined, (day) => readDay(day, context, quarantined));
  const eaten = read.flatMap((day) => day.eaten);
  const records = [
    ...eaten.flatMap(({ meals }) => meals),
    ...context.samples('carbohydrates', app, addUp(eaten.flatMap(({ carbs }) => carbs))),
    ...context.samples(
      'water',
      app,
      read.flatMap(({ water }) => water),
    ),
    ...context.samples(
      'caffeine',
      app,
      read.flatMap(({ caffeine }) => caffeine),
    ),
  ];
  return { records, quarantined };
}
