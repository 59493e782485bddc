import type { Account, AccountDay } from '../accounts/types.ts';
import { totalsOf, type DayTotals } from './day-totals.ts';
import { heartZonesOf } from './heart-zones.ts';
import { round, toDistance, toElevation, type Units } from './units.ts';

const readers: Readonly<Record<string, (totals: DayTotals, units: Units) => number>> = {
  steps: (totals) => totals.steps,
  distance: (totals, units) => round(toDistance(totals.distanceKm, units), 5),
  floors: (totals) => totals.floors,
  elevation: (totals, units) => round(toElevation(totals.elevationM, units), 3),
  calories: (totals) => Math.round(totals.calories),
  caloriesBMR: (totals) => Math.round(totals.caloriesBmr),
  activityCalories: (totals) => Math.round(totals.activityCalories),
  minutesSedentary: (totals) => totals.minutesByLevel[0],
  minutesLightlyActive: (totals) => totals.minutesByLevel[1],
  minutesFairlyActive: (totals) => totals.minutesByLevel[2],
  minutesVeryActive: (totals) => totals.minutesByLevel[3],
};

/** The resources of `/activities/{resource}/date/…`, heart apart. */
export const activityResources: readonly string[] = Object.keys(readers);

export interface DayValue {
  readonly dateTime: string;
  /** The provider writes the numbers of a series as text. */
  readonly value: string;
}

/** Day totals of one resource; days to come have no entry, days without data have zero. */
export function activitySeries(account: Account, resource: string, dates: readonly string[], units: Units): DayValue[] {
  const read = readers[resource];
  if (!read) return [];
  const today = account.today();
  return dates.filter((date) => date <= today).map((dateTime) => ({ dateTime, value: String(read(totalsOf(account.day(dateTime)), units)) }));
}

/** Resting heart rate and zones of each day. */
export function heartSeries(account: Account, dates: readonly string[]): object[] {
  const today = account.today();
  return dates.filter((date) => date <= today).map((date) => heartDay(date, account.day(date)));
}

/** One day's entry of `activities-heart`; without readings it has no resting rate. */
export function heartDay(dateTime: string, day: AccountDay | undefined): object {
  const resting = day?.heart && { restingHeartRate: day.heart.restingBpm };
  return { dateTime, value: { ...resting, heartRateZones: heartZonesOf(day), customHeartRateZones: [] } };
}
