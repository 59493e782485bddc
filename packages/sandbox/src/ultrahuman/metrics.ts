import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Reading } from '../kit/person/types.ts';
import { sleepObject } from './sleep-object.ts';

/** One entry of a day: its type, and an object whose fields depend on it. */
export interface Metric {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>> | null;
}

const halfHour = 1_800_000;
/** Readings are a few seconds after the full minute. */
const lateBySeconds = 13;

const seconds = (ms: number): number => Math.floor(ms / 1000);
const timed = ({ ms, value }: Reading) => ({ value, timestamp: seconds(ms) + lateBySeconds });
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function single(type: string, title: string, day: PersonDay, value: number | null): Metric {
  return { type, object: { value, title, day_start_timestamp: seconds(day.startMs) } };
}

function series(type: string, title: string, unit: string, day: PersonDay, readings: readonly Reading[]): Metric {
  const values = readings.map(timed);
  const last = readings.at(-1)?.value ?? null;
  return { type, object: { day_start_timestamp: seconds(day.startMs), title, values, last_reading: last, unit } };
}

/** Every reading of an hour's steps, of which the second half-hour has none. */
function stepsMetric(person: Person, day: PersonDay): Metric {
  const values = day.hours.flatMap(({ startMs, steps }) => [
    { value: steps, timestamp: seconds(startMs) },
    ...(startMs + halfHour < person.syncedMs() ? [{ value: 0, timestamp: seconds(startMs + halfHour) }] : []),
  ]);
  const shown = { subtitle: 'Average', total: day.steps, avg: mean(values.map(({ value }) => value)), trend_title: '+5' };
  return { type: 'steps', object: { day_start_timestamp: seconds(day.startMs), values, ...shown, trend_direction: 'positive' } };
}

function nightMetrics(day: PersonDay, isMap: boolean): Metric[] {
  const [sleep] = day.sleeps;
  if (!sleep) return [];
  const start = seconds(day.startMs);
  const spots = sleep.heart.filter((_, index) => index % 12 === 0).map(({ ms }) => ({ ms, value: Math.round(day.spo2) }));
  // A sensor that lost contact leaves an entry without a value.
  const beats = [...sleep.hrv.map(timed), { value: null, timestamp: seconds(sleep.endMs) }];
  return [
    {
      type: 'hrv',
      object: { day_start_timestamp: start, title: 'HRV', values: beats, subtitle: 'Average', avg: sleep.hrvAverage, trend_title: '-14' },
    },
    isMap
      ? { type: 'spo2', object: { day_start_timestamp: start, title: 'SpO2', avg: day.spo2, min: day.spo2 - 1, max: day.spo2 + 1 } }
      : series('spo2', 'SpO2', '%', day, spots),
    { type: 'avg_sleep_hrv', object: { value: sleep.hrvAverage, day_start_timestamp: start } },
    { type: 'sleep_rhr', object: { value: day.restingHr, day_start_timestamp: start } },
    { type: 'night_rhr', object: { day_start_timestamp: start, title: 'Resting HR', subtitle: 'Average', avg: day.restingHr } },
    { type: isMap ? 'sleep' : 'Sleep', object: sleepObject(day, sleep, isMap) },
    single('recovery_index', 'Recovery Index', day, sleep.score),
    ...(isMap
      ? [
          { type: 'sleep_score', object: { value: sleep.score, unit: 'score' } },
          { type: 'temperature_deviation', object: { value: sleep.temperatureDelta, unit: '°C' } },
        ]
      : []),
  ];
}

/** What the ring measured. */
export function ringMetrics(person: Person, day: PersonDay, isMap: boolean): Metric[] {
  const skin = day.heart.filter((_, index) => index % 6 === 0).map(({ ms }) => ({ ms, value: day.skinCelsius + (ms % 7) / 10 }));
  return [
    series('hr', 'Heart Rate', 'BPM', day, day.heart),
    series('temp', 'Skin Temperature', '°C', day, skin),
    stepsMetric(person, day),
    ...nightMetrics(day, isMap),
    single('movement_index', 'Movement Index', day, day.sleeps.length > 0 ? 65 : null),
    single('active_minutes', 'Active Minutes', day, Math.round((day.mediumSeconds + day.highSeconds) / 60)),
    single('weekly_active_minutes', 'Weekly Active Minutes', day, 150),
    single('inactive_time', 'Inactive Time', day, 210),
    single('vo2_max', 'VO2 Max', day, day.isComplete ? day.vo2Max : null),
    // Of a kind that no document lists, and one that has nothing in it.
    single('stress_rhythm', 'Stress Rhythm', day, 40),
    { type: 'morning_alertness', object: null },
  ];
}

/** What the patch measured, mg/dL. */
export function glucoseMetrics(day: PersonDay): Metric[] {
  return [
    { type: 'glucose', object: { day_start_timestamp: seconds(day.startMs), title: 'Glucose', values: day.glucose.map(timed) } },
    single('average_glucose', 'Average Glucose', day, 101),
    single('hba1c', 'HbA1c', day, 5.1),
  ];
}
