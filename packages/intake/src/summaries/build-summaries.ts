import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import {
  activityId,
  activityRates,
  activityRecords,
  activitySeries,
  bodyRecords,
  bodySeries,
  mealRecords,
  withPartners,
  type SourceDay,
} from '@pulsewire/providers';
import { findSummaries, readDayTotals, readSamplesAt, type DaySpan } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';
import type { Touched } from './find-touched.ts';
import { readDayReadings, readMealReadings } from './readings.ts';

const dayMs = 86_400_000;
/** More than any offset. */
const marginMs = dayMs;

/** Neighbouring days of a source as one span of each series, so that the samples of several days are read at once. */
function spansOf(days: readonly SourceDay[], series: Iterable<string>): DaySpan[] {
  const spans: { sourceType: string; fromDay: number; toDay: number }[] = [];
  for (const [sourceType, own] of Map.groupBy(days, (one) => one.sourceType))
    for (const { day } of own.toSorted((a, b) => a.day - b.day)) {
      const last = spans.at(-1);
      if (last?.sourceType === sourceType && day === last.toDay + 1) last.toDay = day;
      else spans.push({ sourceType, fromDay: day, toDay: day });
    }
  return [...series].flatMap((resource) => spans.map((span) => ({ ...span, resource })));
}

/**
 * Of a day that has a summary, only the series that changed are read again: a batch of one floor for each of many days would otherwise
 * read all heart rates of those days.
 */
async function buildDays(tx: Tx, owner: PhoneOwner, { days, series, isMoved }: Touched): Promise<CanonicalRecord[]> {
  if (days.length === 0) return [];
  const known = isMoved
    ? new Map<string, never>()
    : await findSummaries(
        tx,
        owner,
        days.map((day) => activityId(owner, day)),
      );
  const toBuild = days.map((day) => ({ ...day, stored: known.get(activityId(owner, day)) ?? null }));
  const { true: fresh = [], false: partial = [] } = Object.groupBy(toBuild, ({ stored }) => (stored === null ? 'true' : 'false'));
  const read = withPartners(series);
  const spans = [...spansOf(fresh, activitySeries), ...spansOf(partial, read)];
  const totals = spans.length > 0 ? await readDayTotals(tx, { ...owner, spans, rates: activityRates }) : [];
  const first = days.reduce((low, { day }) => Math.min(low, day), Number.POSITIVE_INFINITY);
  const last = days.reduce((high, { day }) => Math.max(high, day), Number.NEGATIVE_INFINITY);
  const readings = await readDayReadings(tx, owner, { fromMs: first * dayMs - marginMs, toMs: (last + 1) * dayMs + marginMs });
  return activityRecords(owner, toBuild, read, totals, readings);
}

/**
 * The activity, body and meal summaries of what a batch has touched, from all that is stored now, and removals of those that nothing is left
 * of. Call after the samples and readings of the batch are stored. A handful of statements, whatever the number of days.
 */
export async function buildSummaries(tx: Tx, owner: PhoneOwner, touched: Touched): Promise<CanonicalRecord[]> {
  const { weighings, meals } = touched;
  const built = await buildDays(tx, owner, touched);
  if (weighings.length > 0)
    built.push(...bodyRecords(owner, weighings, await readSamplesAt(tx, { ...owner, resources: bodySeries, instants: weighings })));
  if (meals.length > 0) built.push(...mealRecords(owner, meals, await readMealReadings(tx, owner, meals)));
  const gone = built.flatMap((record) => (record.kind === 'summary_removal' ? [record.id] : []));
  if (gone.length === 0) return built;
  const stored = await findSummaries(tx, owner, gone);
  return built.filter((record) => record.kind !== 'summary_removal' || stored.has(record.id));
}
