import type { PersonDay } from '../../kit/person/types.ts';
import { activityScope, type DataType, type Fields, type Point } from './data-type.ts';
import { tracker } from './sources.ts';

const minute = 60_000;
const common = { record: 'interval', scope: activityScope, operations: ['list', 'reconcile', 'roll'] } as const;

const sumOf = (points: readonly Point[]): number => points.reduce((sum, { amount = 0 }) => sum + amount, 0);
const groupsOf = (points: readonly Point[]) => Object.entries(Object.groupBy(points, ({ group = '' }) => group));

/** The first ten minutes of each workout; every minute has one value. */
function minutesOf(days: readonly PersonDay[], write: (index: number) => Pick<Point, 'amount' | 'group' | 'fields'>): Point[] {
  return days.flatMap(({ date, workouts }) =>
    workouts.flatMap(({ startMs }) =>
      Array.from({ length: 10 }, (_, index): Point => {
        const fromMs = startMs + index * minute;
        return { date, startMs: fromMs, endMs: fromMs + minute, ...write(index), source: tracker };
      }),
    ),
  );
}

const sums = { FAT_BURN: 'sumInFatBurnHeartZone', CARDIO: 'sumInCardioHeartZone', PEAK: 'sumInPeakHeartZone' } as const;

/** A minute counts twice in the upper zones. */
const activeZoneMinutes: DataType = {
  ...common,
  name: 'active-zone-minutes',
  points: (_account, days) =>
    minutesOf(days, (index) => {
      const [group, amount] = index < 4 ? (['FAT_BURN', 1] as const) : index < 8 ? (['CARDIO', 2] as const) : (['PEAK', 2] as const);
      return { group, amount, fields: { heartRateZone: group, activeZoneMinutes: String(amount) } };
    }),
  rollup: (points) =>
    Object.fromEntries(groupsOf(points).map(([zone, ofZone = []]) => [sums[zone as keyof typeof sums], String(sumOf(ofZone))])),
};

/** These zones have other names than those of the active zone minutes. */
const zoneAt = (index: number): string => (index < 2 ? 'LIGHT' : index < 4 ? 'MODERATE' : index < 8 ? 'VIGOROUS' : 'PEAK');

const timeInZone: DataType = {
  ...common,
  name: 'time-in-heart-rate-zone',
  points: (_account, days) =>
    minutesOf(days, (index) => ({ group: zoneAt(index), amount: 60, fields: { heartRateZoneType: zoneAt(index) } })),
  rollup: (points) => ({
    timeInHeartRateZones: groupsOf(points).map(([heartRateZone, ofZone = []]) => ({ heartRateZone, duration: `${sumOf(ofZone)}s` })),
  }),
};

const caloriesInZone: DataType = {
  ...timeInZone,
  name: 'calories-in-heart-rate-zone',
  operations: ['roll'],
  rollup: (points): Fields => ({
    caloriesInHeartRateZones: groupsOf(points).map(([heartRateZone, ofZone = []]) => ({ heartRateZone, kcal: ofZone.length * 8.5 })),
  }),
};

/** Two hours at a desk. */
const sedentaryPeriod: DataType = {
  ...common,
  name: 'sedentary-period',
  points: ({ person }, days) =>
    days.flatMap(({ date }) => {
      const startMs = person.zone.toInstant(date, 9 * 3600);
      const endMs = startMs + 120 * minute;
      if (endMs > person.syncedMs() || person.isRemoved(startMs)) return [];
      return [{ date, startMs, endMs, amount: 7200, fields: {}, source: tracker }];
    }),
  rollup: (points) => ({ durationSum: `${sumOf(points)}s` }),
};

export const zoneTypes: readonly DataType[] = [activeZoneMinutes, timeInZone, caloriesInZone, sedentaryPeriod];
