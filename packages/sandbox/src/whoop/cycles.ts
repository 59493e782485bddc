import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Sleep, Workout } from '../kit/person/types.ts';
import { addDays, dayNumber } from '../model/calendar.ts';
import { during, offsetText, timeText } from './texts.ts';
import { napOf, type Rest } from './naps.ts';

const kilojoules = (kcal: number): number => Math.round(kcal * 41.84) / 10;
const sportIds = { running: 0, cycling: 1, walking: 63 } as const;
const sportTypes = { running: 'running', cycling: 'cycling', walking: 'walking' } as const;
const milli = (seconds: number): number => seconds * 1000;

/** Counts up from day to day, as an id does. */
const cycleId = (date: string): number => 1_600_000_000 + dayNumber(date);

/** A night or a nap. `score` is absent for naps. */
function sleepOf(person: Person, rest: Rest, isNap: boolean): Readonly<Record<string, unknown>> {
  const { light, deep, rem, awake } = rest.secondsOf;
  const inBed = rest.endMs - rest.startMs;
  return {
    activity_id: rest.uuid,
    during: during(rest.startMs, rest.endMs),
    timezone_offset: offsetText(person, rest.endMs),
    state: 'complete',
    source: 'auto',
    is_nap: isNap,
    ...(rest.score !== null && { score: rest.score }),
    time_in_bed: inBed,
    quality_duration: milli(light + deep + rem),
    light_sleep_duration: milli(light),
    slow_wave_sleep_duration: milli(deep),
    rem_sleep_duration: milli(rem),
    wake_duration: milli(awake),
    arousal_time: milli(60),
    no_data_duration: 0,
    latency: milli(rest.latencySeconds),
    respiratory_rate: rest.respiratoryRate,
    in_sleep_efficiency: Math.round((1 - milli(awake) / inBed) * 1000) / 1000,
    cycles_count: 4,
    disturbances: 9,
    sleep_consistency: 71,
  };
}

/** Older straps measure neither oxygen nor skin temperature: every ninth day is from one. */
function recoveryOf(day: PersonDay, sleep: Sleep): Readonly<Record<string, unknown>> {
  const isOldStrap = dayNumber(day.date) % 9 === 4;
  return {
    state: 'complete',
    created_at: timeText(sleep.endMs),
    recovery_score: sleep.score,
    resting_heart_rate: day.restingHr,
    hrv_rmssd: sleep.hrvAverage / 1000,
    ...(isOldStrap ? {} : { spo2: day.spo2, skin_temp_celsius: day.skinCelsius }),
    calibrating: false,
    responded: true,
  };
}

function workoutOf(person: Person, workout: Workout): Readonly<Record<string, unknown>> {
  const seconds = Math.round((workout.endMs - workout.startMs) / 6000);
  return {
    activity_id: workout.uuid,
    during: during(workout.startMs, workout.endMs),
    timezone_offset: offsetText(person, workout.startMs),
    source: 'auto',
    sport_id: sportIds[workout.sport],
    score: 11.4,
    kilojoules: kilojoules(workout.kcal),
    max_heart_rate: workout.hrMax,
    average_heart_rate: workout.hrAverage,
    percent_recorded: 1,
    total_steps: workout.steps,
    zone_durations: Array.from({ length: 6 }, () => seconds),
  };
}

/** A day whose night was deleted is part of the cycle before it. */
export const hasCycle = ({ sleeps, isComplete }: PersonDay): boolean => sleeps.length > 0 || !isComplete;

/** The days that a day's cycle continues over, the day itself first. */
function daysOf(person: Person, day: PersonDay): readonly PersonDay[] {
  const next = person.day(addDays(day.date, 1));
  return [day, ...(next && !hasCycle(next) ? daysOf(person, next) : [])];
}

/**
 * The record of a day's cycle, which runs from falling asleep to falling asleep. While it runs it has no end and no totals of the
 * day.
 */
export function recordOf(person: Person, day: PersonDay): Readonly<Record<string, unknown>> {
  const [night] = day.sleeps;
  const startMs = night?.startMs ?? day.startMs;
  const days = daysOf(person, day);
  const last = days.at(-1) ?? day;
  const endMs = person.day(addDays(last.date, 1))?.sleeps[0]?.startMs ?? (last.isComplete ? last.endMs : null);
  const nap = napOf(person, day);
  const workouts = days.flatMap((each) => each.workouts);
  const id = cycleId(day.date);
  return {
    cycle: {
      id,
      created_at: timeText(startMs),
      updated_at: timeText(day.updatedMs),
      during: during(startMs, endMs),
      days: `['${day.date}','${addDays(day.date, 1)}')`,
      timezone_offset: offsetText(person, startMs).replace(':', ''),
      ...(endMs === null
        ? { data_state: 'pending', scaled_strain: null, day_strain: null, day_kilojoules: null, predicted_end: timeText(day.endMs) }
        : {
            data_state: 'complete',
            scaled_strain: 12.3,
            day_strain: 0.0031,
            day_kilojoules: kilojoules(day.activeKcal + day.basalKcal),
            day_avg_heart_rate: day.hrAverage,
            day_max_heart_rate: day.hrMax,
            predicted_end: null,
          }),
    },
    sleeps: [...day.sleeps.map((sleep) => sleepOf(person, sleep, false)), ...(nap ? [sleepOf(person, nap, true)] : [])],
    recovery: night ? recoveryOf(day, night) : null,
    workouts: workouts.map((workout) => workoutOf(person, workout)),
    v2_activities: workouts.map(({ uuid, sport }) => ({
      id: uuid,
      cycle_id: id,
      timezone: person.zone.name,
      score_state: 'complete',
      type: sportTypes[sport],
    })),
  };
}
