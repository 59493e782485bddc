import type { Tx } from '@pulsewire/database';
import {
  activityId,
  activityRates,
  activityRecords,
  activitySeries,
  bodyRecords,
  bodySeries,
  mealId,
  mealRecords,
  withPartners,
  type BuiltRecord,
  type PhoneDayZone,
  type SourceDay,
} from '@pulsewire/providers';
import { findSummaries, readDayTotals, readSamplesAt, type DaySpan } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { findSent } from '../model/sent-summaries.ts';
import type { Touched } from './find-touched.ts';
import { mergeDayZones } from './day-zones.ts';
import { readDayReadings, readMealReadings, type DayRange } from './readings.ts';

/** Neighbouring days of a source as one range. */
function rangesOf(days: readonly SourceDay[]): DayRange[] {
  const ranges: { sourceType: string; fromDay: number; toDay: number }[] = [];
  for (const [sourceType, own] of Map.groupBy(days, (one) => one.sourceType))
    for (const { day } of own.toSorted((a, b) => a.day - b.day)) {
      const last = ranges.at(-1);
      if (last?.sourceType === sourceType && day === last.toDay + 1) last.toDay = day;
      else ranges.push({ sourceType, fromDay: day, toDay: day });
    }
  return ranges;
}

const spansOf = (days: readonly SourceDay[], series: Iterable<string>): DaySpan[] => {
  const ranges = rangesOf(days);
  return [...series].flatMap((resource) => ranges.map((range) => ({ ...range, resource })));
};

/**
 * Of a day that has a summary, only what changed is read again: a batch of one floor for each of many days would otherwise read all heart
 * rates of those days. A day whose summary was sent by a team's app is not built.
 */
async function buildDays(
  tx: Tx,
  owner: PhoneOwner,
  { days, series, hasReadings, isMoved }: Touched,
  zones: readonly PhoneDayZone[],
): Promise<BuiltRecord[]> {
  if (days.length === 0) return [];
  const wanted = days.map((day) => ({ ...day, summaryId: activityId(owner, day) }));
  const ids = wanted.map(({ summaryId }) => summaryId);
  // Not one after the other: the statements of a transaction are sent together.
  const [known, states] = await Promise.all([
    isMoved ? new Map<string, never>() : findSummaries(tx, owner, ids),
    mergeDayZones(tx, owner, zones, wanted),
  ]);
  const stateOf = new Map(states.map((state) => [state.summaryId, state]));
  const toBuild = wanted
    .filter(({ summaryId }) => !stateOf.get(summaryId)?.isSent)
    .map(({ summaryId, ...day }) => ({ ...day, stored: known.get(summaryId) ?? null, zone: stateOf.get(summaryId)?.zone ?? null }));
  const { true: fresh = [], false: partial = [] } = Object.groupBy(toBuild, ({ stored }) => (stored === null ? 'true' : 'false'));
  const read = { series: withPartners(series), hasReadings };
  const spans = [...spansOf(fresh, activitySeries), ...spansOf(partial, read.series)];
  const ranges = rangesOf(hasReadings ? toBuild : fresh);
  const [totals, readings] = await Promise.all([
    spans.length > 0 ? readDayTotals(tx, { ...owner, spans, rates: activityRates }) : [],
    ranges.length > 0 ? readDayReadings(tx, owner, ranges) : [],
  ]);
  return activityRecords(owner, toBuild, read, totals, readings);
}

/** Meals that a team's app has sent are not built. */
async function buildMeals(tx: Tx, owner: PhoneOwner, meals: Touched['meals']): Promise<BuiltRecord[]> {
  const sent = await findSent(
    tx,
    owner,
    meals.map((meal) => mealId(owner, meal)),
  );
  const own = meals.filter((meal) => !sent.has(mealId(owner, meal)));
  return mealRecords(owner, own, own.length > 0 ? await readMealReadings(tx, owner, own) : []);
}

/**
 * The activity, body and meal summaries of what a batch has touched, from all that is stored now, and removals of those that nothing is left
 * of. Call after the samples and readings of the batch are stored. `zones` are those that the batch names. A handful of statements, whatever
 * the number of days.
 */
export async function buildSummaries(tx: Tx, owner: PhoneOwner, touched: Touched, zones: readonly PhoneDayZone[]): Promise<BuiltRecord[]> {
  const { weighings, meals } = touched;
  const built = await buildDays(tx, owner, touched, zones);
  if (weighings.length > 0)
    built.push(...bodyRecords(owner, weighings, await readSamplesAt(tx, { ...owner, resources: bodySeries, instants: weighings })));
  if (meals.length > 0) built.push(...(await buildMeals(tx, owner, meals)));
  const gone = built.flatMap(({ kind, id }) => (kind === 'summary_removal' ? [id] : []));
  if (gone.length === 0) return built;
  const stored = await findSummaries(tx, owner, gone);
  return built.filter(({ kind, id }) => kind !== 'summary_removal' || stored.has(id));
}
