import { dayNumber } from '../../model/calendar.ts';
import type { SimAccount } from '../../kit/accounts/accounts.ts';
import type { PersonDay } from '../../kit/person/types.ts';
import { uuidOf } from '../../kit/person/uuid-of.ts';
import type { DataType, Fields, Point } from './data-type.ts';
import { byHand, tracker } from './sources.ts';
import { civilFields, instantText, offsetText } from './times.ts';

const minute = 60_000;
const common = { record: 'session', scope: 'nutrition', operations: ['list', 'get', 'reconcile', 'roll'] } as const;
const sumOf = (points: readonly Point[]): number => points.reduce((sum, { amount = 0 }) => sum + amount, 0);

/** Entries at an hour of each day that is known by then. */
function entries({ name, person }: SimAccount, days: readonly PersonDay[], what: string, atHour: number, lengthMs: number) {
  return days.flatMap(({ date }) => {
    const startMs = person.zone.toInstant(date, atHour * 3600);
    if (startMs + lengthMs > person.syncedMs() || person.isRemoved(startMs)) return [];
    return [{ date, startMs, endMs: startMs + lengthMs, id: uuidOf(`${name} ${what} ${atHour} ${date}`), source: byHand }];
  });
}

interface Food {
  readonly hour: number;
  readonly mealType: string;
  readonly name: string;
  readonly kcal: number;
  readonly carbohydrate: number;
  readonly fat: number;
  readonly nutrients: Readonly<Record<string, number>>;
}

/** Every nutrient is in grams. */
const foods: readonly Food[] = [
  { hour: 8, mealType: 'BREAKFAST', name: 'Coffee', kcal: 20, carbohydrate: 1.2, fat: 0.4, nutrients: { CAFFEINE: 0.095, PROTEIN: 0.3 } },
  { hour: 13, mealType: 'LUNCH', name: 'Lentil soup', kcal: 420, carbohydrate: 54, fat: 9.5, nutrients: { PROTEIN: 24, SODIUM: 0.81 } },
  {
    hour: 19,
    mealType: 'BEFORE_DINNER',
    name: 'Apple',
    kcal: 80,
    carbohydrate: 21,
    fat: 0.2,
    nutrients: { SUGAR: 16, DIETARY_FIBER: 3.6 },
  },
];

const foodFields = ({ mealType, name, kcal, carbohydrate, fat, nutrients }: Food): Fields => ({
  mealType,
  foodDisplayName: name,
  serving: { amount: 1, foodMeasurementUnitDisplayName: 'serving' },
  energy: { kcal },
  totalCarbohydrate: { grams: carbohydrate },
  totalFat: { grams: fat },
  nutrients: Object.entries(nutrients).map(([nutrient, grams]) => ({ nutrient, quantity: { grams } })),
});

const nutrition: DataType = {
  ...common,
  name: 'nutrition-log',
  points: (account, days) =>
    foods
      .flatMap((food) =>
        entries(account, days, food.name, food.hour, minute).map((entry) => ({ ...entry, amount: food.kcal, fields: foodFields(food) })),
      )
      .toSorted((a, b) => a.startMs - b.startMs),
  rollup: (points) => ({ energy: { kcalSum: sumOf(points) } }),
};

const hydration: DataType = {
  ...common,
  name: 'hydration-log',
  points: (account, days) =>
    [9, 16].flatMap((hour) =>
      entries(account, days, 'water', hour, minute).map((entry) => ({
        ...entry,
        amount: 250,
        fields: { amountConsumed: { milliliters: 250 } },
      })),
    ),
  rollup: (points) => ({ amountConsumed: { millilitersSum: sumOf(points) } }),
};

const medicalDeviceInfo = { deviceModel: 'Sense 2', deviceFirmwareVersion: '1.2.3' };
const hertz = 250;
const waveform = Array.from({ length: hertz * 2 }, (_, index) => Math.round(Math.sin(index / 12) * 4000));
const results = ['NORMAL_SINUS_RHYTHM', 'ATRIAL_FIBRILLATION', 'INCONCLUSIVE_HIGH_HEART_RATE', 'NOT_ANALYZED'];

/** Its interval has no length. Every second one is from before offsets were kept, which are zero then. */
const electrocardiogram: DataType = {
  record: 'session',
  name: 'electrocardiogram',
  scope: 'ecg',
  operations: ['list'],
  points: (account, days) =>
    entries(account, days, 'ecg', 18, 0)
      .filter(({ date }) => dayNumber(date) % 2 === 0)
      .map(({ date, startMs, endMs }) => ({
        date,
        startMs,
        endMs,
        isBare: dayNumber(date) % 4 === 0,
        source: tracker,
        fields: {
          beatsPerMinuteAvg: '62',
          resultClassification: results[(dayNumber(date) / 2) % results.length],
          waveformSamples: waveform,
          samplingFrequencyHertz: hertz,
          millivoltsScalingFactor: 10_922,
          leadNumber: 1,
          medicalDeviceInfo,
        },
      })),
};

const irregularRhythm: DataType = {
  record: 'session',
  name: 'irregular-rhythm-notification',
  scope: 'irn',
  operations: ['list'],
  points: (account, days) =>
    entries(account, days, 'rhythm', 3, 30 * minute)
      .filter(({ date }) => dayNumber(date) % 3 === 0)
      .map(({ date, startMs, endMs }) => {
        const { zone } = account.person;
        const beat = { physicalTime: instantText(startMs), utcOffset: offsetText(zone, startMs), civilTime: civilFields(zone, startMs) };
        const heartBeats = [{ ...beat, beatsPerMinute: 84 }];
        const window = { startTime: instantText(startMs), endTime: instantText(endMs), positive: true, heartBeats };
        return { date, startMs, endMs, source: tracker, fields: { alertWindows: [window], medicalDeviceInfo } };
      }),
};

export const logTypes: readonly DataType[] = [nutrition, hydration, electrocardiogram, irregularRhythm];
