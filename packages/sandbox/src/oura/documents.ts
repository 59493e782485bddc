import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Reading, Sleep, Stage, Workout } from '../kit/person/types.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';

/** A document of a collection, with the day by which it is found. */
export interface Document {
  readonly day: string;
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const stageDigits: Readonly<Record<Stage, string>> = { deep: '1', light: '2', rem: '3', awake: '4' };
const fiveMinutesMs = 300_000;

/** Oura's day begins at 04:00. */
function dayStart(person: Person, date: string): string {
  return person.zone.offsetText(person.zone.toInstant(date, 4 * 3600));
}

/** Midnight of the date with offset 0 in every zone: the timestamp of readiness and VO2 max. */
const midnightUtc = (date: string): string => `${date}T00:00:00+00:00`;

/** A day's document has one id for all time. */
function dayId(person: Person, collection: string, date: string): string {
  return uuidOf(`oura:${collection}:${person.name}:${date}`);
}

function series(readings: readonly Reading[], startText: string): object {
  return { interval: 300, items: readings.map(({ value }) => value), timestamp: startText };
}

function ofDay(collection: string, body: (person: Person, day: PersonDay) => Readonly<Record<string, unknown>> | undefined) {
  return (person: Person, day: PersonDay): Document[] => {
    const found = body(person, day);
    const id = dayId(person, collection, day.date);
    return found ? [{ day: day.date, id, body: { id, day: day.date, ...found } }] : [];
  };
}

function activityOf(person: Person, day: PersonDay): Readonly<Record<string, unknown>> {
  return {
    timestamp: dayStart(person, day.date),
    score: 80,
    steps: day.steps,
    active_calories: day.activeKcal,
    total_calories: day.activeKcal + day.basalKcal,
    equivalent_walking_distance: day.distanceM,
    low_activity_time: day.lowSeconds,
    medium_activity_time: day.mediumSeconds,
    high_activity_time: day.highSeconds,
    sedentary_time: 30_000,
    resting_time: 28_000,
    non_wear_time: 0,
    average_met_minutes: 1.5,
    contributors: { stay_active: 70 },
    meta: { updated_at: new Date(day.updatedMs).toISOString(), version: 1 },
  };
}

function sleepOf(person: Person, date: string, sleep: Sleep): Document {
  const { zone } = person;
  const epochs = Math.ceil((sleep.endMs - sleep.startMs) / fiveMinutesMs);
  const phases = Array.from({ length: epochs }, (_, index) => {
    const ms = sleep.startMs + index * fiveMinutesMs;
    return stageDigits[sleep.stages.find((span) => ms >= span.startMs && ms < span.endMs)?.stage ?? 'awake'];
  }).join('');
  const startText = zone.offsetText(sleep.startMs);
  // A reading is sometimes missing.
  const holed = sleep.hrv.map(({ ms, value }, index) => ({ ms, value: index % 17 === 3 ? (null as unknown as number) : value }));
  return {
    day: date,
    id: sleep.uuid,
    body: {
      id: sleep.uuid,
      day: date,
      type: 'long_sleep',
      period: 0,
      bedtime_start: startText.replace('.000', ''),
      bedtime_end: zone.offsetText(sleep.endMs).replace('.000', ''),
      time_in_bed: (sleep.endMs - sleep.startMs) / 1000,
      total_sleep_duration: sleep.secondsOf.light + sleep.secondsOf.deep + sleep.secondsOf.rem,
      awake_time: sleep.secondsOf.awake,
      deep_sleep_duration: sleep.secondsOf.deep,
      light_sleep_duration: sleep.secondsOf.light,
      rem_sleep_duration: sleep.secondsOf.rem,
      latency: sleep.latencySeconds,
      efficiency: sleep.efficiency,
      restless_periods: 100,
      average_breath: sleep.respiratoryRate,
      average_heart_rate: sleep.hrAverage,
      lowest_heart_rate: sleep.hrLowest,
      average_hrv: sleep.hrvAverage,
      heart_rate: series(sleep.heart, startText),
      hrv: series(holed, startText),
      sleep_phase_5_min: phases,
      readiness: { score: sleep.score, temperature_deviation: sleep.temperatureDelta, contributors: {} },
      low_battery_alert: false,
    },
  };
}

function workoutOf(person: Person, date: string, workout: Workout): Document {
  return {
    day: date,
    id: workout.uuid,
    body: {
      id: workout.uuid,
      day: date,
      activity: workout.sport,
      start_datetime: person.zone.offsetText(workout.startMs),
      end_datetime: person.zone.offsetText(workout.endMs),
      calories: workout.kcal,
      distance: workout.distanceM,
      intensity: 'moderate',
      label: workout.title,
      source: 'confirmed',
    },
  };
}

/** A breathing exercise on each morning. */
function sessionOf(person: Person, day: PersonDay): Readonly<Record<string, unknown>> | undefined {
  const startMs = person.zone.toInstant(day.date, 7 * 3600 + 1800);
  const endMs = startMs + 2 * fiveMinutesMs;
  if (endMs > person.syncedMs()) return undefined;
  const readings = [0, 1].map((index) => ({ ms: startMs + index * fiveMinutesMs, value: 50 + index + (day.restingHr % 5) }));
  const startText = person.zone.offsetText(startMs);
  return {
    start_datetime: startText,
    end_datetime: person.zone.offsetText(endMs),
    type: 'breathing',
    mood: null,
    heart_rate: series(readings, startText),
    heart_rate_variability: series(readings, startText),
    motion_count: null,
  };
}

/** On every second evening a drink, with a comment, and at the same moment a tag of the person's own. */
function tagsOf(person: Person, day: PersonDay): Document[] {
  const startMs = person.zone.toInstant(day.date, 20 * 3600);
  if (startMs > person.syncedMs() || Number(day.date.slice(-2)) % 2 === 1) return [];
  const tags = [
    { tag_type_code: 'tag_generic_alcohol', end_time: null, end_day: null, comment: 'One glass', custom_name: null },
    {
      tag_type_code: 'custom',
      end_time: person.zone.offsetText(startMs + 2 * 3_600_000),
      end_day: day.date,
      comment: null,
      custom_name: 'Dinner out',
    },
  ];
  return tags.map((tag) => {
    const id = dayId(person, tag.tag_type_code, day.date);
    return { day: day.date, id, body: { id, start_time: person.zone.offsetText(startMs), start_day: day.date, ...tag } };
  });
}

/** Documents of each collection, by the person's day. */
export const documents: Readonly<Record<string, (person: Person, day: PersonDay) => readonly Document[]>> = {
  daily_activity: ofDay('daily_activity', activityOf),
  sleep: (person, day) => day.sleeps.map((sleep) => sleepOf(person, day.date, sleep)),
  daily_sleep: ofDay(
    'daily_sleep',
    (person, { date, sleeps: [sleep] }) => sleep && { score: sleep.score, timestamp: dayStart(person, date), contributors: {} },
  ),
  daily_readiness: ofDay(
    'daily_readiness',
    (_person, { date, sleeps: [sleep] }) =>
      sleep && {
        score: sleep.score,
        timestamp: midnightUtc(date),
        temperature_deviation: sleep.temperatureDelta,
        contributors: { hrv_balance: 80 },
      },
  ),
  daily_spo2: ofDay('daily_spo2', (_person, { sleeps, spo2 }) =>
    sleeps.length === 0 ? undefined : { spo2_percentage: { average: spo2 }, breathing_disturbance_index: 3 },
  ),
  vO2_max: ofDay('vO2_max', (_person, { date, isComplete, vo2Max }) =>
    isComplete ? { timestamp: midnightUtc(date), vo2_max: vo2Max } : undefined,
  ),
  workout: (person, day) => day.workouts.map((workout) => workoutOf(person, day.date, workout)),
  session: ofDay('session', sessionOf),
  enhanced_tag: tagsOf,
};
