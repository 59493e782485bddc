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

const keyOf = ({ sourceType, day }: SourceDay) => `${day} ${sourceType}`;

/**
 * Of a day that has a summary, only the series that changed are read again: a batch of one floor for each of many days would otherwise
 * read all heart rates of those days.
 */
async function buildDays(
  tx: Tx,
  owner: PhoneOwner,
  { days, series, isMoved }: Touched,
  zones: readonly PhoneDayZone[],
): Promise<BuiltRecord[]> {
  if (days.length === 0) return [];
  const ids = days.map((day) => activityId(owner, day));
  // Not one after the other: the statements of a transaction are sent together.
  const [known, readings, zoned] = await Promise.all([
    isMoved ? new Map<string, never>() : findSummaries(tx, owner, ids),
    readDayReadings(tx, owner, rangesOf(days)),
    mergeDayZones(tx, owner, zones, days),
  ]);
  const zoneOf = new Map(zoned.map((day) => [keyOf(day), day.zone]));
  const toBuild = days.map((day) => ({ ...day, stored: known.get(activityId(owner, day)) ?? null, zone: zoneOf.get(keyOf(day)) ?? null }));
  const { true: fresh = [], false: partial = [] } = Object.groupBy(toBuild, ({ stored }) => (stored === null ? 'true' : 'false'));
  const read = withPartners(series);
  const spans = [...spansOf(fresh, activitySeries), ...spansOf(partial, read)];
  const totals = spans.length > 0 ? await readDayTotals(tx, { ...owner, spans, rates: activityRates }) : [];
  return activityRecords(owner, toBuild, read, totals, readings);
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
  if (meals.length > 0) built.push(...mealRecords(owner, meals, await readMealReadings(tx, owner, meals)));
  if (built.length === 0) return [];
  const idsOf = (isWanted: (record: BuiltRecord) => boolean) => built.flatMap((record) => (isWanted(record) ? [record.id] : []));
  const sent = await findSent(
    tx,
    owner,
    idsOf(() => true),
  );
  const gone = idsOf(({ kind }) => kind === 'summary_removal');
  const stored = gone.length === 0 ? new Map<string, never>() : await findSummaries(tx, owner, gone);
  return built.filter(({ kind, id }) => !sent.has(id) && (kind !== 'summary_removal' || stored.has(id)));
}
