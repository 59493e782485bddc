import { dayNumber } from '../model/calendar.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { bloodPressureItem, dataId, glucoseItems, oxygenItem, weightItem, type Item } from './readings.ts';
import { offsetDigits, offsetHours, wallSeconds } from './times.ts';

/** One kind of data, as a file of its own. */
export interface IhealthFile {
  readonly name: string;
  readonly api: string;
  readonly listKey: string;
  /** The field by which a range selects. */
  readonly timeKey: string;
  /** The unit, outside the list. */
  unit?(person: Person): Readonly<Record<string, number>>;
  of(person: Person, day: PersonDay): readonly Item[];
}

const sportNames = { running: 'Running', cycling: 'Cycling, leisure', walking: 'Walking' } as const;
const seconds = (ms: number) => Math.floor(ms / 1000);
/** One in two persons uses the units of the United States. */
export const isMetric = ({ sex }: Person): boolean => sex === 'female';

const common = { DataSource: 'FromDevice', Lat: 0, Lon: 0, Note: '' } as const;

/** One row for a day; its time is that of the last sync, or the end of the day. */
function activityOf(person: Person, day: PersonDay): Item[] {
  if (day.steps === 0) return [];
  const atMs = Math.min(day.endMs - 1000, person.syncedMs());
  return [
    {
      ...common,
      Calories: day.activeKcal + day.basalKcal,
      DataID: dataId(`activity ${person.name} ${day.date}`),
      DistanceTraveled: day.distanceM / (isMetric(person) ? 1000 : 1609.344),
      LastChangeTime: seconds(day.updatedMs),
      MDate: wallSeconds(person, atMs),
      Steps: day.steps,
      TimeZone: offsetDigits(person, atMs),
    },
  ];
}

/** Totals of a night; the hours are minutes. */
function sleepsOf(person: Person, { sleeps }: PersonDay): Item[] {
  return sleeps.map(({ uuid, startMs, endMs, secondsOf, stages, latencySeconds, efficiency, updatedMs }) => ({
    ...common,
    Awaken: stages.filter(({ stage }) => stage === 'awake').length,
    DataID: uuid.replaceAll('-', ''),
    // By the same offset, also when clocks change in between.
    EndTime: wallSeconds(person, startMs) + (endMs - startMs) / 1000,
    FallSleep: latencySeconds / 60,
    HoursSlept: (secondsOf.light + secondsOf.deep + secondsOf.rem) / 60,
    LastChangeTime: seconds(updatedMs),
    SleepEfficiency: efficiency,
    StartTime: wallSeconds(person, startMs),
    TimeZone: offsetDigits(person, startMs),
  }));
}

/** Workouts carry their zone as a number of hours; some rows are rests without a name. */
function sportsOf(person: Person, { workouts, date }: PersonDay): Item[] {
  const named = workouts.map(({ uuid, sport, startMs, endMs, kcal, updatedMs }) => ({
    Calories: kcal + 0.25,
    DataID: uuid.replaceAll('-', ''),
    DataSource: 'FromDevice',
    LastChangeTime: seconds(updatedMs),
    Lat: -1,
    Lon: -1,
    // Unlike all other times these are UTC.
    SportEndTime: seconds(endMs),
    SportName: sportNames[sport],
    SportStartTime: seconds(startMs),
    TimeZone: offsetHours(person, startMs),
  }));
  const isOdd = dayNumber(date) % 4 === 0;
  return named.flatMap((item) =>
    isOdd ? [item, { ...item, DataID: dataId(`rest ${item.DataID}`), SportName: '', SportStartTime: item.SportEndTime }] : [item],
  );
}

export const files: readonly IhealthFile[] = [
  {
    name: 'bp',
    api: 'OpenApiBP',
    listKey: 'BPDataList',
    timeKey: 'MDate',
    unit: (person) => ({ BPUnit: isMetric(person) ? 0 : 1 }),
    of: (person, day) => day.bloodPressures.map((reading) => bloodPressureItem(person, reading, isMetric(person))),
  },
  {
    name: 'glucose',
    api: 'OpenApiBG',
    listKey: 'BGDataList',
    timeKey: 'MDate',
    unit: (person) => ({ BGUnit: isMetric(person) ? 1 : 0 }),
    of: (person, day) => glucoseItems(person, day, isMetric(person)),
  },
  { name: 'spo2', api: 'OpenApiSpO2', listKey: 'BODataList', timeKey: 'MDate', of: oxygenItem },
  {
    name: 'weight',
    api: 'OpenApiWeight',
    listKey: 'WeightDataList',
    timeKey: 'MDate',
    unit: (person) => ({ WeightUnit: isMetric(person) ? 0 : 1 }),
    of: (person, day) => day.weighings.map((weighing) => weightItem(person, weighing, isMetric(person))),
  },
  {
    name: 'activity',
    api: 'OpenApiActivity',
    listKey: 'ARDataList',
    timeKey: 'MDate',
    unit: (person) => ({ DistanceUnit: isMetric(person) ? 0 : 1 }),
    of: activityOf,
  },
  { name: 'sleep', api: 'OpenApiSleep', listKey: 'SRDataList', timeKey: 'StartTime', of: sleepsOf },
  { name: 'sport', api: 'OpenApiSport', listKey: 'SPORTDataList', timeKey: 'SportStartTime', of: sportsOf },
];
