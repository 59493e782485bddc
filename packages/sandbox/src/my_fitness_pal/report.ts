import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Workout } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import { contentsOf, energyOf, foodsOf, type Eaten } from './foods.ts';

type Row = Readonly<Record<string, unknown>>;

const time = (ms: number) => new Date(ms).toISOString();

function foodEntry(person: Person, eaten: Eaten): Row {
  const { id, date, meal, mealPosition, description, brand, servings, isQuickAdd, eatenMs } = eaten;
  // Times are a paid feature, which was tried for some days.
  const isTimed = dayNumber(date) % 5 === 2;
  const contents = contentsOf(person, eaten);
  const common = { id, type: 'food_entry', date, meal_name: meal, meal_position: mealPosition, servings, nutritional_contents: contents };
  if (isQuickAdd && !isTimed) return common;
  return {
    ...common,
    client_id: null,
    serving_size: { value: 100, unit: 'g', nutrition_multiplier: 1 },
    food: {
      id: `1${id}`,
      user_id: '230694511409',
      version: `2${id}`,
      brand_name: brand,
      description,
      public: true,
      type: isQuickAdd ? 'voice_note' : 'food',
      verified: false,
      serving_sizes: [{ id: '0', value: 100, unit: 'g', nutrition_multiplier: 1, index: 0 }],
      // Of one serving, which is not what was eaten.
      nutritional_contents: contentsOf(person, { ...eaten, kcal: Math.round(eaten.kcal / servings / 2) }),
    },
    meal_food_id: '',
    geolocation: {},
    image_ids: [],
    tags: [],
    consumed_at: isTimed ? time(eatenMs) : null,
    logged_at: isTimed ? time(eatenMs + 300_000) : null,
    logged_at_offset: isTimed ? person.zone.offsetText(eatenMs).slice(-6) : null,
  };
}

const exercises = {
  running: { id: '909837568192837594', description: 'Running (jogging), 8 kph', type: 'cardio', mets: 8 },
  cycling: { id: '909837568192837601', description: 'Bicycling, 19-22 kph, moderate', type: 'cardio', mets: 6.8 },
  walking: { id: '909837568192837777', description: 'Walking, 5 kph, mod. pace', type: 'cardio', mets: 3.5 },
} as const;

function exerciseEntry(person: Person, date: string, workout: Workout): Row {
  return {
    id: workout.id,
    type: 'exercise_entry',
    date,
    exercise: exercises[workout.sport],
    duration: Math.round((workout.endMs - workout.startMs) / 1000),
    energy: energyOf(person, workout.kcal),
    is_calorie_adjustment: false,
    start_time: time(workout.startMs),
    // A plain number, or with a unit.
    distance: workout.sport === 'running' ? { unit: 'kilometers', value: workout.distanceM / 1000 } : workout.distanceM / 1000,
    avg_heart_rate: workout.hrAverage,
    max_heart_rate: workout.hrMax,
    elevation_change: null,
    max_speed: null,
    source: 'partner',
    created_at: time(workout.updatedMs),
  };
}

/** Most fields of what a person enters are null; an adjustment for counted steps is no exercise. The flag is in either place. */
function otherExercises(person: Person, { date, isComplete, activeKcal }: PersonDay): readonly Row[] {
  if (!isComplete) return [];
  const unmeasured = { start_time: null, distance: null, avg_heart_rate: null, max_heart_rate: null, elevation_change: null };
  const isFlaggedInside = dayNumber(date) % 2 === 0;
  const adjustment = {
    ...unmeasured,
    id: `9${dayNumber(date)}1`,
    type: 'exercise_entry',
    date,
    exercise: {
      id: '134026252709869',
      description: 'Fitness tracker calorie adjustment',
      type: 'cardio',
      mets: null,
      deleted: true,
      ...(isFlaggedInside && { is_calorie_adjustment: true }),
    },
    duration: 60,
    energy: energyOf(person, activeKcal),
    ...(!isFlaggedInside && { is_calorie_adjustment: true }),
    source: 'fitness tracker',
  };
  const yoga = { id: '909837568192830004', description: 'Stretching, hatha yoga', type: 'flexibility', mets: 2.5 };
  const typed = { ...unmeasured, id: `9${dayNumber(date)}2`, type: 'exercise_entry', date, exercise: yoga, duration: 2400 };
  return dayNumber(date) % 6 === 1 ? [adjustment, { ...typed, energy: energyOf(person, 140) }] : [adjustment];
}

/** A day of the report, which has only what was requested. */
export function reportOf(person: Person, day: PersonDay, shows: { readonly food: boolean; readonly exercise: boolean }): Row {
  const foods = foodsOf(person, day).map((eaten) => foodEntry(person, eaten));
  const workouts = day.workouts.map((workout) => exerciseEntry(person, day.date, workout));
  return {
    date: day.date,
    food_entries: shows.food ? foods : [],
    exercise_entries: shows.exercise ? [...workouts, ...otherExercises(person, day)] : [],
  };
}
