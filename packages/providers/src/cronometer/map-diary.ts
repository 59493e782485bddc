import type { Quarantined, Sample } from '@pulsewire/contract';
import { addUp } from '../kit/records/add-up.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { addDays } from '../kit/time/days.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode, readEach, readWhole } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { app } from './cronometer.ts';
import { nutrientOf } from './nutrients.ts';
import { readMeals, type Eaten } from './read-meals.ts';

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
  const amountOf = (resource: string, name: string) =>
    readWhole(resource, quarantined, () => nutrientOf(node.at('nutrients'), name)) ?? null;
  const caffeineMg = amountOf('caffeine', 'Caffeine');
  return {
    eaten: readMeals(day, node, context, quarantined),
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
