import { dayMs } from '@pulsewire/kernel';
import { dayNumber } from '../../model/calendar.ts';
import { hash32 } from '../../model/seeded.ts';
import type { SimAccount } from '../../kit/accounts/accounts.ts';
import type { PersonDay, Reading } from '../../kit/person/types.ts';
import { uuidOf } from '../../kit/person/uuid-of.ts';
import { activityScope, metricsScope, type DataType, type Fields, type Point } from './data-type.ts';
import { byHand, derived, glucoseApp, phone, scale, tracker } from './sources.ts';

const common = { record: 'sample', scope: metricsScope } as const;
const streamed = ['list', 'reconcile'] as const;
const logged = ['list', 'reconcile', 'get', 'roll'] as const;

const pointAt = (date: string, ms: number, rest: Omit<Point, 'date' | 'startMs' | 'endMs'>): Point => ({
  date,
  startMs: ms,
  endMs: ms,
  ...rest,
});
const amounts = (points: readonly Point[]): number[] => points.flatMap(({ amount }) => (amount === undefined ? [] : [amount]));
const average = (points: readonly Point[]): number =>
  amounts(points).reduce((sum, value) => sum + value, 0) / Math.max(1, amounts(points).length);
const extremes = (name: string, points: readonly Point[]): Fields => ({
  [`${name}Avg`]: average(points),
  [`${name}Min`]: Math.min(...amounts(points)),
  [`${name}Max`]: Math.max(...amounts(points)),
});

/** Every five minutes, and every ten seconds during workouts. */
const heartRate: DataType = {
  ...common,
  name: 'heart-rate',
  operations: ['list', 'reconcile', 'roll'],
  points(_account, days) {
    return days.flatMap(({ date, heart, workouts }) => {
      const tracked = workouts.flatMap(({ track }) => track.map(({ ms, bpm }): Reading => ({ ms, value: bpm })));
      const during = new Set(tracked.map(({ ms }) => ms));
      const all = [...heart.filter(({ ms }) => !during.has(ms)), ...tracked].toSorted((a, b) => a.ms - b.ms);
      return all.map(({ ms, value }) => {
        const motionContext = during.has(ms) ? 'ACTIVE' : 'SEDENTARY';
        const fields = { beatsPerMinute: String(value), metadata: { motionContext, sensorLocation: 'WRIST' } };
        return pointAt(date, ms, { amount: value, fields, source: tracker });
      });
    });
  },
  rollup: (points) => extremes('beatsPerMinute', points),
};

const heartRateVariability: DataType = {
  ...common,
  name: 'heart-rate-variability',
  operations: streamed,
  points: (_account, days) =>
    days.flatMap(({ date, sleeps }) =>
      sleeps.flatMap(({ hrv }) =>
        hrv.map(({ ms, value }) => {
          const fields = { rootMeanSquareOfSuccessiveDifferencesMilliseconds: value + 0.25, standardDeviationMilliseconds: value + 12 };
          return pointAt(date, ms, { fields, source: tracker });
        }),
      ),
    ),
};

/** Many accounts have no samples of it, although their nights have the daily value. */
const hasOxygenSamples = ({ name }: SimAccount): boolean => hash32(`samples of oxygen ${name}`) % 3 !== 0;

/** Exactly 50 stands for a minute without a reading. */
const oxygenSaturation: DataType = {
  ...common,
  name: 'oxygen-saturation',
  operations: streamed,
  points(account, days) {
    if (!hasOxygenSamples(account)) return [];
    return days.flatMap(({ date, sleeps, spo2 }) =>
      sleeps.flatMap(({ heart }) =>
        heart.map(({ ms }, index) => pointAt(date, ms, { fields: { percentage: index % 4 === 0 ? 50 : spo2 }, source: tracker })),
      ),
    );
  },
};

/** Only the figures of the whole night are always there. */
const respiratoryRate: DataType = {
  ...common,
  name: 'respiratory-rate-sleep-summary',
  operations: streamed,
  points: (_account, days) =>
    days.flatMap(({ date, sleeps }) =>
      sleeps.map(({ endMs, respiratoryRate: breathsPerMinute }) => {
        const stats = (delta: number) => ({ breathsPerMinute: breathsPerMinute + delta, standardDeviation: 0.6, signalToNoise: 4.1 });
        const ofStages = { deepSleepStats: stats(-0.5), lightSleepStats: stats(0.25), remSleepStats: stats(1) };
        const fields = { ...(dayNumber(date) % 3 !== 0 && ofStages), fullSleepStats: stats(0) };
        return pointAt(date, endMs, { fields, source: derived });
      }),
    ),
};

const coreTemperature: DataType = {
  ...common,
  name: 'core-body-temperature',
  operations: logged,
  points({ name, person }, days) {
    return days.flatMap(({ date }) => {
      const ms = person.zone.toInstant(date, 8 * 3600 + 600);
      if (dayNumber(date) % 2 !== 0 || ms > person.syncedMs() || person.isRemoved(ms)) return [];
      const id = uuidOf(`${name} core temperature ${date}`);
      const temperatureCelsius = 36.4 + (dayNumber(date) % 5) / 10;
      return [pointAt(date, ms, { id, amount: temperatureCelsius, fields: { temperatureCelsius, id }, source: byHand })];
    });
  },
  rollup: (points) => extremes('temperatureCelsius', points),
};

/** What the person measured at 6 p.m. and entered by hand. */
function fingerpricks({ name, person }: SimAccount, days: readonly PersonDay[]): Point[] {
  return days.flatMap(({ date }) => {
    const ms = person.zone.toInstant(date, 18 * 3600 + 60);
    if (ms > person.syncedMs()) return [];
    const amount = 100 + (dayNumber(date) % 20);
    const circumstances = { mealType: 'DINNER', measurementTiming: 'BEFORE_MEAL', specimen: 'CAPILLARY_BLOOD', notes: 'Felt shaky' };
    const fields = { bloodGlucoseMilligramsPerDeciliter: amount, measurementSource: 'SELF_MONITORING_BLOOD_GLUCOSE', ...circumstances };
    return [pointAt(date, ms, { id: uuidOf(`${name} fingerprick ${date}`), amount, fields, source: byHand })];
  });
}

/** A sensor's readings come through Health Connect: no offsets, and milliseconds in their times. */
const bloodGlucose: DataType = {
  ...common,
  name: 'blood-glucose',
  operations: logged,
  points: (account, days) => [
    ...days.flatMap(({ date, glucose }) =>
      glucose.map(({ ms, value }) => {
        const fields = { bloodGlucoseMilligramsPerDeciliter: value, measurementSource: 'CONTINUOUS_GLUCOSE_MONITORING' };
        return pointAt(date, ms, { id: uuidOf(`${account.name} glucose ${ms}`), amount: value, isBare: true, fields, source: glucoseApp });
      }),
    ),
    ...fingerpricks(account, days),
  ],
  rollup: (points) => ({ bloodGlucoseMilligramsPerDeciliterAvg: average(points) }),
};

function weighings(
  days: readonly PersonDay[],
  write: (weighing: PersonDay['weighings'][number]) => Pick<Point, 'fields' | 'amount'>,
): Point[] {
  return days.flatMap(({ date, weighings: ofDay }) =>
    ofDay.map((weighing) => {
      // Every second one was entered in another app.
      const isBare = dayNumber(date) % 2 === 0;
      return pointAt(date, weighing.ms, { id: weighing.id, isBare, source: isBare ? phone : scale, ...write(weighing) });
    }),
  );
}

const weight: DataType = {
  ...common,
  name: 'weight',
  operations: logged,
  points: (_account, days) =>
    weighings(days, ({ kg, ms }) => {
      const grams = Math.round(kg * 1000);
      return { amount: grams, fields: { weightGrams: grams, ...(Math.floor(ms / dayMs) % 2 === 0 && { notes: 'After breakfast' }) } };
    }),
  rollup: (points) => ({ weightGramsAvg: average(points) }),
};

const bodyFat: DataType = {
  ...common,
  name: 'body-fat',
  operations: logged,
  points: (_account, days) => weighings(days, ({ fatPercent }) => ({ amount: fatPercent, fields: { percentage: fatPercent } })),
  rollup: (points) => ({ bodyFatPercentageAvg: average(points) }),
};

/** Entered once, when the account was made. */
const height: DataType = {
  ...common,
  name: 'height',
  operations: ['list', 'reconcile', 'get'],
  points: ({ name, person }: SimAccount, days) =>
    days
      .filter(({ date }) => date === person.firstDate)
      .map(({ date, startMs }) => {
        const fields = { heightMillimeters: String(person.heightCm * 10) };
        return pointAt(date, startMs, { id: uuidOf(`${name} height`), fields, source: byHand });
      }),
};

const runVo2Max: DataType = {
  ...common,
  name: 'run-vo2-max',
  scope: activityScope,
  operations: ['list', 'reconcile', 'roll'],
  points: (_account, days) =>
    days.flatMap(({ date, workouts, vo2Max }) =>
      workouts
        .filter(({ sport }) => sport === 'running')
        .map(({ endMs }) => pointAt(date, endMs, { amount: vo2Max, fields: { runVo2Max: vo2Max }, source: derived })),
    ),
  rollup: (points) => extremes('rate', points),
};

/** What somebody measured on every fifth day, or another app estimated. */
const vo2Max: DataType = {
  ...common,
  name: 'vo2-max',
  scope: activityScope,
  operations: streamed,
  points: ({ person }, days) =>
    days.flatMap(({ date, vo2Max: rate }) => {
      const ms = person.zone.toInstant(date, 20 * 3600);
      if (dayNumber(date) % 5 !== 3 || ms > person.syncedMs()) return [];
      const isTest = dayNumber(date) % 2 === 0;
      const measurementMethod = isTest ? 'COOPER_TEST' : 'PREDICTION_NON_EXERCISE';
      return [pointAt(date, ms, { isBare: !isTest, fields: { vo2Max: rate + 0.5, measurementMethod }, source: isTest ? byHand : phone })];
    }),
};

export const measurementTypes: readonly DataType[] = [
  heartRate,
  heartRateVariability,
  oxygenSaturation,
  respiratoryRate,
  coreTemperature,
  bloodGlucose,
  weight,
  bodyFat,
  height,
  runVo2Max,
  vo2Max,
];
