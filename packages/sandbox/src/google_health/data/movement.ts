import type { SimAccount } from '../../kit/accounts/accounts.ts';
import type { Hour, PersonDay } from '../../kit/person/types.ts';
import { activityScope, type DataType, type Fields, type Point } from './data-type.ts';
import { nameless, phone, tracker } from './sources.ts';
import { swimLengths } from './swims.ts';

const minute = 60_000;
const slot = 6 * minute;
const basalKcalPerDay = 1500;

/** One minute in every six of an hour; together they are the hour's figure. */
function pointsOfHour(hour: Hour, date: string, syncedMs: number, whole: number, fieldsOf: (amount: number) => Fields): Point[] {
  const slots = Math.max(1, Math.floor((Math.min(hour.endMs, syncedMs) - hour.startMs) / slot));
  const points: Point[] = [];
  for (let index = 0; index < slots; index++) {
    const amount = Math.round((whole * (index + 1)) / slots) - Math.round((whole * index) / slots);
    const startMs = hour.startMs + index * slot;
    if (amount > 0) points.push({ date, startMs, endMs: startMs + minute, amount, fields: fieldsOf(amount), source: tracker });
  }
  return points;
}

function perHour(days: readonly PersonDay[], { person }: SimAccount, of: (hour: Hour) => number, fieldsOf: (amount: number) => Fields) {
  const synced = person.syncedMs();
  return days.flatMap(({ date, hours }) => hours.flatMap((hour) => pointsOfHour(hour, date, synced, of(hour), fieldsOf)));
}

const sumOf = (points: readonly Point[]): number => points.reduce((sum, { amount = 0 }) => sum + amount, 0);
const groupsOf = (points: readonly Point[]) => Object.entries(Object.groupBy(points, ({ group = '' }) => group));
const common = { record: 'interval', scope: activityScope, operations: ['list', 'reconcile', 'roll'] } as const;

const steps: DataType = {
  ...common,
  name: 'steps',
  points: (account, days) =>
    perHour(
      days,
      account,
      (hour) => hour.steps,
      (count) => ({ count: String(count) }),
    ),
  // The phone in the pocket counts some of the same steps.
  otherSources: (account, days) =>
    perHour(
      days,
      account,
      (hour) => Math.floor(hour.steps / 2),
      (count) => ({ count: String(count) }),
    ).map((point) => ({
      ...point,
      isBare: true,
      source: phone,
    })),
  rollup: (points) => ({ countSum: String(sumOf(points)) }),
};

const distance: DataType = {
  ...common,
  name: 'distance',
  points: (account, days) =>
    perHour(
      days,
      account,
      (hour) => hour.distanceM * 1000,
      (millimeters) => ({ millimeters: String(millimeters) }),
    ),
  rollup: (points) => ({ millimetersSum: String(sumOf(points)) }),
};

/** One floor every half hour from eight on. */
function climbs({ person }: SimAccount, days: readonly PersonDay[], fields: Fields, amount: number): Point[] {
  return days.flatMap(({ date, floors }) =>
    Array.from({ length: floors }, (_, index): Point => {
      const startMs = person.zone.toInstant(date, 8 * 3600 + index * 1800);
      return { date, startMs, endMs: startMs + minute, amount, fields, source: nameless };
    }).filter(({ startMs, endMs }) => endMs <= person.syncedMs() && !person.isRemoved(startMs)),
  );
}

const floors: DataType = {
  ...common,
  name: 'floors',
  // The raw list is not offered.
  operations: ['reconcile', 'roll'],
  points: (account, days) => climbs(account, days, { count: '1' }, 1),
  rollup: (points) => ({ countSum: String(sumOf(points)) }),
};

const altitude: DataType = {
  ...common,
  name: 'altitude',
  points: (account, days) => climbs(account, days, { gainMillimeters: '3000' }, 3000),
  rollup: (points) => ({ gainMillimetersSum: String(sumOf(points)) }),
};

const kcalSum = (points: readonly Point[]): Fields => ({ kcalSum: Math.round(sumOf(points) * 10) / 10 });

function energy({ person }: SimAccount, days: readonly PersonDay[], of: (hour: Hour, share: number) => number): Point[] {
  return days.flatMap(({ date, startMs: dayStart, endMs: dayEnd, hours }) =>
    hours.map((hour): Point => {
      const endMs = Math.min(hour.endMs, person.syncedMs());
      const kcal = Math.round(of(hour, (endMs - hour.startMs) / (dayEnd - dayStart)) * 10) / 10;
      return { date, startMs: hour.startMs, endMs, amount: kcal, fields: { kcal }, source: tracker };
    }),
  );
}

const activeEnergy: DataType = {
  ...common,
  name: 'active-energy-burned',
  points: (account, days) => energy(account, days, ({ activeKcal }) => activeKcal).filter(({ amount = 0 }) => amount > 0),
  rollup: kcalSum,
};

const basalEnergy: DataType = {
  ...common,
  name: 'basal-energy-burned',
  operations: ['list'],
  points: (account, days) => energy(account, days, (_hour, share) => basalKcalPerDay * share),
};

const totalCalories: DataType = {
  ...common,
  name: 'total-calories',
  operations: ['roll'],
  points: (account, days) => energy(account, days, ({ activeKcal }, share) => activeKcal + basalKcalPerDay * share),
  rollup: kcalSum,
};

interface Effort {
  readonly startHour: number;
  readonly seconds: number;
  readonly minutesLevel: string;
  readonly typeLevel: string;
}

function effortsOf({ lowSeconds, mediumSeconds, highSeconds }: PersonDay): Effort[] {
  return [
    { startHour: 11, seconds: lowSeconds, minutesLevel: 'LIGHT', typeLevel: 'LIGHTLY_ACTIVE' },
    { startHour: 15, seconds: mediumSeconds, minutesLevel: 'MODERATE', typeLevel: 'MODERATELY_ACTIVE' },
    { startHour: 17, seconds: highSeconds, minutesLevel: 'VIGOROUS', typeLevel: 'VERY_ACTIVE' },
  ];
}

function efforts({ person }: SimAccount, days: readonly PersonDay[], write: (effort: Effort) => Pick<Point, 'fields' | 'group'>): Point[] {
  return days.flatMap((day) =>
    effortsOf(day).flatMap((effort) => {
      const startMs = person.zone.toInstant(day.date, effort.startHour * 3600);
      const endMs = startMs + effort.seconds * 1000;
      if (effort.seconds === 0 || endMs > person.syncedMs()) return [];
      return [{ date: day.date, startMs, endMs, amount: effort.seconds, ...write(effort), source: tracker }];
    }),
  );
}

const activeMinutes: DataType = {
  ...common,
  name: 'active-minutes',
  points: (account, days) =>
    efforts(account, days, ({ minutesLevel, seconds }) => ({
      group: minutesLevel,
      fields: { activeMinutesByActivityLevel: [{ activityLevel: minutesLevel, activeMinutes: String(seconds / 60) }] },
    })),
  rollup: (points) => ({
    activeMinutesRollupByActivityLevel: groupsOf(points).map(([activityLevel, ofLevel = []]) => ({
      activityLevel,
      activeMinutesSum: String(sumOf(ofLevel) / 60),
    })),
  }),
};

const activityLevel: DataType = {
  ...common,
  name: 'activity-level',
  points: (account, days) => efforts(account, days, ({ typeLevel }) => ({ group: typeLevel, fields: { activityLevelType: typeLevel } })),
  rollup: (points) => ({
    activityLevelRollupsByActivityLevelType: groupsOf(points).map(([activityLevelType, ofLevel = []]) => ({
      activityLevelType,
      totalDuration: `${sumOf(ofLevel)}s`,
    })),
  }),
};

export const movementTypes: readonly DataType[] = [
  steps,
  distance,
  floors,
  altitude,
  activeEnergy,
  basalEnergy,
  totalCalories,
  activeMinutes,
  activityLevel,
  swimLengths,
];
