import { minuteMs } from '@pulsewire/kernel';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Workout } from '../kit/person/types.ts';
import { fp, int, type Point } from './values.ts';

const phone = (type: string) => `raw:${type}:com.google.android.apps.fitness:Google:Pixel 8:a1b2c3d4:`;
const bmr = 'derived:com.google.calories.expended:com.google.android.gms:from_bmr';
/** The part of an hour in which a person moves. */
const activeMs = 20 * minuteMs;
/** Kilocalories of a whole day at rest. */
const basalPerDay = 1500;

/** When the provider received or revised what ends at `endMs`. */
export function modifiedMs({ isComplete, updatedMs, endMs: dayEndMs }: PersonDay, endMs: number): number {
  return isComplete && updatedMs > dayEndMs ? updatedMs : endMs + minuteMs;
}

export const activityCodes = { running: 8, cycling: 1, walking: 7 } as const;

type Builder = (person: Person, day: PersonDay) => readonly Point[];

function hourly(
  person: Person,
  day: PersonDay,
  type: string,
  valueOf: (hour: PersonDay['hours'][number]) => Point['value'],
): readonly Point[] {
  return day.hours.map((hour) => {
    const endMs = Math.min(hour.endMs, person.syncedMs());
    return { startMs: hour.startMs, endMs, origin: phone(type), modifiedMs: modifiedMs(day, endMs), value: valueOf(hour) };
  });
}

/** Energy always includes the basal part: where nothing else is known, points from the basal rate fill the day. */
function energy(person: Person, day: PersonDay): readonly Point[] {
  const basalPerMs = basalPerDay / (day.endMs - day.startMs);
  return day.hours.flatMap((hour) => {
    const endMs = Math.min(hour.endMs, person.syncedMs());
    const middleMs = Math.min(hour.startMs + activeMs, endMs);
    const modified = modifiedMs(day, endMs);
    const part = (startMs: number, stopMs: number, kcal: number, origin: string): Point[] =>
      stopMs > startMs
        ? [{ startMs, endMs: stopMs, origin, modifiedMs: modified, value: [fp(kcal + (stopMs - startMs) * basalPerMs)] }]
        : [];
    const type = 'com.google.calories.expended';
    if (hour.activeKcal === 0) return part(hour.startMs, endMs, 0, bmr);
    return [...part(hour.startMs, middleMs, hour.activeKcal, phone(type)), ...part(middleMs, endMs, 0, bmr)];
  });
}

/** One figure for the day so far. */
function ofDay(person: Person, day: PersonDay, type: string, value: Point['value']): readonly Point[] {
  const endMs = Math.min(day.endMs, person.syncedMs());
  return endMs <= day.startMs ? [] : [{ startMs: day.startMs, endMs, origin: phone(type), modifiedMs: modifiedMs(day, endMs), value }];
}

/** Stretches of an activity: workouts, and the time between them as still. */
function segments(person: Person, day: PersonDay): readonly Point[] {
  const origin = phone('com.google.activity.segment');
  const segment = (startMs: number, endMs: number, code: number): Point[] =>
    endMs > startMs ? [{ startMs, endMs, origin, modifiedMs: modifiedMs(day, endMs), value: [int(code)] }] : [];
  const lastMs = Math.min(day.endMs, person.syncedMs());
  const found: Point[] = [];
  let fromMs = day.startMs;
  for (const { startMs, endMs, sport } of day.workouts) {
    found.push(...segment(fromMs, startMs, 3), ...segment(startMs, Math.min(endMs, day.endMs), activityCodes[sport]));
    fromMs = endMs;
  }
  return [...found, ...segment(fromMs, lastMs, 3)];
}

const minutes = ({ mediumSeconds, highSeconds }: PersonDay) => (mediumSeconds + highSeconds) / 60;

export const movementPoints: Readonly<Record<string, Builder>> = {
  'com.google.step_count.delta': (person, day) => hourly(person, day, 'com.google.step_count.delta', ({ steps }) => [int(steps)]),
  'com.google.distance.delta': (person, day) => hourly(person, day, 'com.google.distance.delta', ({ distanceM }) => [fp(distanceM)]),
  'com.google.calories.expended': energy,
  // The rate is per 24 hours, also on days when the clocks change.
  'com.google.calories.bmr': (person, day) =>
    ofDay(person, day, 'com.google.calories.bmr', [fp((basalPerDay * 86_400_000) / (day.endMs - day.startMs))]),
  'com.google.active_minutes': (person, day) => ofDay(person, day, 'com.google.active_minutes', [int(minutes(day))]),
  'com.google.heart_minutes': (person, day) => ofDay(person, day, 'com.google.heart_minutes', [fp(minutes(day) * 1.5)]),
  'com.google.activity.segment': segments,
};

/** A workout's own figures, which a bucket of exactly its time holds. */
export function pointOfWorkout(workout: Workout, type: string): Point | undefined {
  const { startMs, endMs, steps, distanceM, kcal, updatedMs } = workout;
  const values: Readonly<Record<string, Point['value']>> = {
    'com.google.step_count.delta': [int(steps)],
    'com.google.distance.delta': [fp(distanceM)],
    'com.google.calories.expended': [fp(kcal)],
    'com.google.heart_rate.bpm': [fp(workout.hrAverage), fp(workout.hrMax), fp(workout.hrAverage - 12)],
  };
  const value = values[type];
  return value && { startMs, endMs, origin: phone(type), modifiedMs: updatedMs, value };
}
