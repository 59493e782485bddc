import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import { between } from '../model/seeded.ts';
import { modifiedMs } from './movement-points.ts';
import { fp, int, map, none, text, type Point, type Value } from './values.ts';

type Builder = (person: Person, day: PersonDay) => readonly Point[];

const watch = (type: string) => `raw:${type}:com.example.wear:Example:Watch 4:5f6e7d8c:`;
const scale = (type: string) => `raw:${type}:com.example.scales:Example:Scale S:99aa88bb:`;
const typed = (type: string) => `raw:${type}:com.google.android.apps.fitness:user_input`;
const mgPerMmol = 18.0182;

function at(day: PersonDay, ms: number, origin: string, ...value: readonly Value[]): Point {
  return { startMs: ms, endMs: ms, origin, modifiedMs: modifiedMs(day, ms), value };
}

/** An instant of a local hour, if it is known and was not removed. */
function hourOf(person: Person, { date }: PersonDay, hour: number): number | null {
  const ms = person.zone.toInstant(date, hour * 3600);
  return ms > person.syncedMs() || person.isRemoved(ms) ? null : ms;
}

const hydration: Builder = (person, day) =>
  [9, 13, 18].flatMap((hour) => {
    const ms = hourOf(person, day, hour);
    const type = 'com.google.hydration';
    return ms === null ? [] : [at(day, ms, typed(type), fp(between(`${person.name}|water|${day.date}|${hour}`, 2, 5) / 10))];
  });

const foods = [
  { hour: 8, meal: 2, food: 'Porridge', kcal: 380 },
  { hour: 8, meal: 2, food: 'Blueberries', kcal: 60 },
  { hour: 12, meal: 3, food: 'Lentil soup', kcal: 520 },
  { hour: 19, meal: 4, food: '', kcal: 640 },
] as const;

/** Fats, carbohydrates and so on in grams, minerals in milligrams. Some foods have nothing but their energy. */
const nutrition: Builder = (person, day) =>
  foods.flatMap(({ hour, meal, food, kcal }) => {
    const ms = hourOf(person, day, hour);
    if (ms === null) return [];
    const energy = kcal + day.restingHr;
    const whole = {
      'fat.total': energy * 0.03,
      'fat.saturated': energy * 0.01,
      'carbs.total': energy * 0.12,
      dietary_fiber: energy * 0.012,
      sugar: energy * 0.03,
      protein: energy * 0.05,
      cholesterol: energy * 0.1,
      sodium: energy * 1.1,
      potassium: energy * 1.5,
      calcium: energy * 0.4,
      iron: energy * 0.006,
      vitamin_a: energy * 0.5,
      vitamin_c: energy * 0.04,
    };
    const nutrients = food === 'Blueberries' ? { calories: energy } : { calories: energy, ...whole };
    return [at(day, ms, typed('com.google.nutrition'), map(nutrients), int(meal), food === '' ? none : text(food))];
  });

const stageCodes = { awake: 1, light: 4, deep: 5, rem: 6 } as const;

const sleepSegments: Builder = (_person, day) =>
  day.sleeps.flatMap(({ stages, updatedMs }) =>
    stages.map(({ stage, startMs, endMs }) => ({
      startMs,
      endMs,
      origin: watch('com.google.sleep.segment'),
      modifiedMs: updatedMs,
      value: [int(stageCodes[stage])],
    })),
  );

/** Four days of every 28; the week before 12 March 2026, which tests read, has them all. */
const menstruation: Builder = (person, day) => {
  const cycleDay = (dayNumber(day.date) + 4) % 28;
  const ms = hourOf(person, day, 12);
  return person.sex === 'female' && cycleDay < 4 && ms !== null
    ? [at(day, ms, typed('com.google.menstruation'), int([3, 4, 2, 1][cycleDay] ?? 2))]
    : [];
};

/** Noted when the account was made. */
const height: Builder = (person, day) => {
  const ms = day.date === person.firstDate ? hourOf(person, day, 12) : null;
  return ms === null ? [] : [at(day, ms, typed('com.google.height'), fp(person.heightCm / 100))];
};

/** Some sensors measure the tissue; others are finger pricks, with their time. */
function glucose(_person: Person, day: PersonDay): readonly Point[] {
  const type = 'com.google.blood_glucose';
  return day.glucose.map(({ ms, value }, index) => {
    const level = fp(value / mgPerMmol);
    return index % 40 === 7
      ? at(day, ms, typed(type), level, int(2), int(1), none, int(2))
      : at(day, ms, watch(type), level, none, none, none, int(1));
  });
}

export const measuredPoints: Readonly<Record<string, Builder>> = {
  'com.google.heart_rate.bpm': (_person, day) =>
    day.heart.map(({ ms, value }) => at(day, ms, watch('com.google.heart_rate.bpm'), fp(value))),
  'com.google.weight': (_person, day) => day.weighings.map(({ ms, kg }) => at(day, ms, scale('com.google.weight'), fp(kg))),
  'com.google.body.fat.percentage': (_person, day) =>
    day.weighings.map(({ ms, fatPercent }) => at(day, ms, scale('com.google.body.fat.percentage'), fp(fatPercent))),
  'com.google.height': height,
  'com.google.blood_pressure': (_person, day) =>
    day.bloodPressures.map(({ ms, systolic, diastolic }, index) =>
      at(day, ms, typed('com.google.blood_pressure'), fp(systolic), fp(diastolic), index === 0 ? int(2) : none, none),
    ),
  'com.google.blood_glucose': glucose,
  'com.google.oxygen_saturation': (_person, day) =>
    day.sleeps.map(({ endMs }) => at(day, endMs, watch('com.google.oxygen_saturation'), fp(day.spo2), none, none, none, none)),
  'com.google.body.temperature': (person, day) => {
    const ms = hourOf(person, day, 9);
    return ms === null || dayNumber(day.date) % 2 === 1
      ? []
      : [at(day, ms, typed('com.google.body.temperature'), fp(36.4 + day.restingHr / 100), none)];
  },
  'com.google.hydration': hydration,
  'com.google.nutrition': nutrition,
  'com.google.sleep.segment': sleepSegments,
  'com.google.menstruation': menstruation,
};

/** The resting rate, once for each night. */
export function restingPoints(_person: Person, day: PersonDay): readonly Point[] {
  return day.sleeps.map(({ endMs }) => at(day, endMs, watch('com.google.heart_rate.bpm'), fp(day.restingHr)));
}
