import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { PersonDay, Workout } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import { hash32 } from '../model/seeded.ts';
import { mealsOf } from './meals.ts';
import { climbOf, distanceOf, energyOf, weightOf } from './units.ts';

export type Item = Readonly<Record<string, unknown>>;

/** What a partner may read; other types, such as single foods, are unsupported. */
export const diaryTypes = ['diary_meal', 'exercise', 'steps_aggregate', 'steps'] as const;
/** The default of `types`. */
export const listedTypes = ['diary_meal', 'exercise', 'steps_aggregate'] as const;

const exercises = {
  running: { id: '909837568192837594', type: 'cardio', description: 'Running (jogging), 8 kph', mets: 8, public: true },
  cycling: { id: '909837568192837601', type: 'cardio', description: 'Bicycling, 19-22 kph, moderate', mets: 6.8, public: true },
  walking: { id: '909837568192837777', type: 'cardio', description: 'Walking, 5 kph, mod. pace', mets: 3.5, public: true },
} as const;

const idOf = (kind: string, key: string) =>
  `${hash32(`${kind}|${key}`).toString(16).padStart(8, '0')}${hash32(`${key}|${kind}`).toString(16).padStart(8, '0')}c2be`;
const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** As text, which was written with an offset; it is returned in UTC. */
function tracked({ person }: SimAccount, date: string, workout: Workout): Item {
  return {
    id: idOf('exercise', workout.id),
    type: 'exercise',
    date,
    device_id: 'watch-0001',
    tags: ['outdoors'],
    exercise: { ...exercises[workout.sport], version: '8f0c1a' },
    start_time: time(workout.startMs),
    duration: Math.round((workout.endMs - workout.startMs) / 1000),
    energy: energyOf(person, workout.kcal),
    distance: distanceOf(person, workout.distanceM),
    max_speed: null,
    avg_heart_rate: workout.hrAverage,
    max_heart_rate: workout.hrMax,
    elevation_change: climbOf(person, workout.elevationM),
  };
}

const unmeasured = { avg_heart_rate: null, max_heart_rate: null, distance: null, max_speed: null, elevation_change: null };

/** Exercises that a person typed in: without a time, as a partner's with a number for an id, or strength without any duration. */
function typedIn({ person }: SimAccount, { date }: PersonDay): readonly Item[] {
  const variant = dayNumber(date) % 6;
  const common = { type: 'exercise', date, ...unmeasured };
  if (person.zone.toInstant(date, 20 * 3600) > person.syncedMs()) return [];
  if (variant === 1) {
    const yoga = { id: '909837568192830004', type: 'cardio', description: 'Stretching, hatha yoga', mets: 2.5, public: true };
    const id = idOf('yoga', `${person.name} ${date}`);
    return [{ ...common, id, exercise: yoga, start_time: null, duration: 2400, energy: energyOf(person, 140) }];
  }
  if (variant === 3) {
    const startMs = person.zone.toInstant(date, 12 * 3600 + 900);
    const id = idOf('partner', `${person.name} ${date}`);
    const exercise = { id: 134_026_223_316_461 };
    return [{ ...common, id, exercise, start_time: time(startMs), duration: 1800, energy: energyOf(person, 210) }];
  }
  if (variant !== 5) return [];
  const press = { id: '909837568192839999', type: 'strength', description: 'Bench Press, barbell', mets: null, public: true };
  const id = idOf('strength', `${person.name} ${date}`);
  const sets = { quantity: 3, sets: 3, reps_per_set: 8, weight_per_set: weightOf(person, 40) };
  return [{ id, type: 'exercise', date, exercise: press, start_time: null, ...sets }];
}

export const aggregateId = ({ name }: SimAccount, date: string) => idOf('steps_aggregate', `${name} ${date}`);
export const uploadId = ({ name }: SimAccount, date: string) => idOf('steps', `${name} ${date}`);

/** The totals of a day from each source. One is the person's choice; on some days neither is marked. */
function stepsOf(account: SimAccount, day: PersonDay): readonly Item[] {
  const { person } = account;
  if (day.steps === 0) return [];
  const isMarked = dayNumber(day.date) % 4 !== 0;
  const watch = {
    id: aggregateId(account, day.date),
    type: 'steps_aggregate',
    date: day.date,
    device_id: 'watch-0001',
    start_time: time(day.startMs),
    duration: Math.round((Math.min(day.endMs, person.syncedMs()) - day.startMs) / 1000),
    energy: energyOf(person, day.activeKcal),
    steps: day.steps,
    ...(isMarked && { primary: true }),
  };
  // Shaken in a bag, the phone counts more than the watch. Unmarked, the larger figure is the watch's.
  const counted = isMarked ? day.steps + 700 : Math.floor(day.steps * 0.6);
  const phone = {
    id: idOf('phone', `${account.name} ${day.date}`),
    type: 'steps_aggregate',
    date: day.date,
    device_id: 'phone-0002',
    steps: counted,
    energy: energyOf(person, counted * 0.04),
    ...(isMarked && { primary: false }),
  };
  return dayNumber(day.date) % 3 === 0 ? [watch] : [phone, watch];
}

/** One upload of the watch: part of what the day's total is made from. */
function uploadOf(account: SimAccount, day: PersonDay): Item {
  return {
    id: uploadId(account, day.date),
    type: 'steps',
    date: day.date,
    device_id: 'watch-0001',
    parent_id: aggregateId(account, day.date),
    start_time: time(day.startMs),
    duration: 3600,
    energy: energyOf(account.person, 12),
    steps: Math.floor(day.steps / 3),
  };
}

/** Everything in the diary of a day. */
export function diaryOf(account: SimAccount, day: PersonDay): readonly Item[] {
  return [
    ...mealsOf(account.person, day),
    ...day.workouts.map((workout) => tracked(account, day.date, workout)),
    ...typedIn(account, day),
    ...stepsOf(account, day),
    uploadOf(account, day),
  ];
}

/** The id of a workout's entry. */
export const exerciseId = (workoutId: string) => idOf('exercise', workoutId);

/** Objects are left out unless `fields[]` names them; what is null stays. */
export function withFields(item: Item, query: URLSearchParams): Item {
  const wanted = new Set([...query.getAll('fields[]'), ...query.getAll('fields')]);
  const isKept = ([name, value]: readonly [string, unknown]) =>
    typeof value !== 'object' || value === null || Array.isArray(value) || wanted.has(name);
  return Object.fromEntries(Object.entries(item).filter(isKept));
}
