import { overall } from './interpret.ts';
import type { FormerResult, MeasuredResult, MissingResult, OrderResults } from '../model/results.ts';

/** What one report says about an analyte: usually one result; of a culture, for example, several under one code. */
interface Analyte {
  readonly measured: readonly MeasuredResult[];
  readonly missing: readonly MissingResult[];
}

/** When the lab reported it; results that were stored before missing ones had a time count as old as their report. */
const timeOf = ({ measured, missing }: Analyte, reportedAt: string) =>
  Math.max(...[...measured, ...missing].map(({ at = reportedAt }) => Date.parse(at)));

function analytesOf({ results, missing }: OrderResults): Map<string, Analyte> {
  const ids = new Set([...results, ...missing].map(({ providerId }) => providerId));
  const [measuredOf, missingOf] = [Map.groupBy(results, (one) => one.providerId), Map.groupBy(missing, (one) => one.providerId)];
  return new Map([...ids].map((id) => [id, { measured: measuredOf.get(id) ?? [], missing: missingOf.get(id) ?? [] }]));
}

/** The lab reported neither a value nor that it is missing: a final report lacks it. */
const isGap = ({ measured, missing }: Analyte) => measured.length === 0 && missing.every((one) => one.isInferred === true);

const valueOf = ({ result, unit }: MeasuredResult) => JSON.stringify([result, unit]);

/** Former values kept of one order; the oldest are dropped. */
const historyMax = 500;

/**
 * The results of an order after another report, by analyte: what the report does not repeat stays, and nothing older replaces anything newer.
 * Of two reports of the same time the one that arrived last counts. A replaced value goes to the history with the time of its successor.
 */
export function mergeResults(former: OrderResults, next: OrderResults): OrderResults {
  const merged = analytesOf(former);
  const replaced: FormerResult[] = [];
  for (const [id, analyte] of analytesOf(next)) {
    const known = merged.get(id);
    // What a final report merely lacks says nothing about a value that is known.
    if (known !== undefined && isGap(analyte)) continue;
    const [time, knownTime] = [timeOf(analyte, next.reportedAt), known ? timeOf(known, former.reportedAt) : null];
    const isOlder = known !== undefined && !isGap(known) && knownTime !== null && time < knownTime;
    if (!isOlder) merged.set(id, analyte);
    if (known === undefined) continue;
    const [winner, loser, winnerTime] = isOlder ? [known, analyte, knownTime] : [analyte, known, time];
    const kept = new Set(winner.measured.map(valueOf));
    const replacedAt = new Date(winnerTime).toISOString();
    for (const one of loser.measured.filter((value) => !kept.has(valueOf(value)))) {
      const { providerId, name, result, unit, at } = one;
      replaced.push({ providerId, name, result, unit, at, replacedAt });
    }
  }
  const isNewer = Date.parse(next.reportedAt) >= Date.parse(former.reportedAt);
  const [newest, other] = isNewer ? [next, former] : [former, next];
  const results = [...merged.values()].flatMap(({ measured }) => measured);
  return {
    ...newest,
    status: former.status === 'final' || next.status === 'final' ? 'final' : 'partial',
    interpretation: overall(results.map(({ interpretation }) => interpretation)),
    collectedAt: newest.collectedAt ?? other.collectedAt,
    receivedAt: newest.receivedAt ?? other.receivedAt,
    results,
    missing: [...merged.values()].flatMap(({ missing }) => missing),
    history: [...(former.history ?? []), ...replaced].slice(-historyMax),
  };
}

/** In one order, in which results of the same code keep theirs. */
const byCode = <T extends { readonly providerId: string }>(all: readonly T[]) =>
  all.toSorted((a, b) => (a.providerId < b.providerId ? -1 : Number(a.providerId > b.providerId)));

/** Whether merging the report would change nothing that can be read: it repeats what is known, or is older. */
export function isKnown(former: OrderResults, next: OrderResults): boolean {
  if (former.status !== 'final' && next.status === 'final') return false;
  const { results, missing, interpretation } = mergeResults(former, next);
  const visible = (one: Pick<OrderResults, 'results' | 'missing' | 'interpretation'>) =>
    JSON.stringify([
      byCode(one.results).map(({ at: _, ...rest }) => rest),
      byCode(one.missing).map(({ at: _, ...rest }) => rest),
      one.interpretation,
    ]);
  return visible({ results, missing, interpretation }) === visible(former);
}
