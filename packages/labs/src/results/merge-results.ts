import { overall } from './interpret.ts';
import type { FormerResult, MeasuredResult, MissingResult, OrderResults } from './results.ts';

type Analyte = { readonly kind: 'measured'; readonly one: MeasuredResult } | { readonly kind: 'missing'; readonly one: MissingResult };

/** When the lab reported it; results that were stored before missing ones had a time count as old as their report. */
const timeOf = ({ one }: Analyte, reportedAt: string) => Date.parse(one.at ?? reportedAt);

function analytesOf({ results, missing }: OrderResults): ReadonlyMap<string, Analyte> {
  const measured = results.map((one): [string, Analyte] => [one.providerId, { kind: 'measured', one }]);
  const left = missing.map((one): [string, Analyte] => [one.providerId, { kind: 'missing', one }]);
  return new Map([...left, ...measured]);
}

const isSame = (a: Analyte, b: Analyte) => JSON.stringify(a) === JSON.stringify(b);

/** Former values kept of one order; the oldest are dropped. */
const historyMax = 500;

/**
 * The results of an order after another report, by analyte: what the report does not repeat stays, and nothing older replaces anything newer.
 * Of two reports of the same time the one that arrived last counts. A replaced value goes to the history with the time of its successor.
 */
export function mergeResults(former: OrderResults, next: OrderResults): OrderResults {
  const merged = new Map(analytesOf(former));
  const replaced: FormerResult[] = [];
  for (const [id, analyte] of analytesOf(next)) {
    const known = merged.get(id);
    // What a final report merely lacks says nothing about a value that is known.
    if (known !== undefined && analyte.kind === 'missing' && analyte.one.isInferred === true) continue;
    const isGap = known?.kind === 'missing' && known.one.isInferred === true;
    const isOlder = known !== undefined && !isGap && timeOf(analyte, next.reportedAt) < timeOf(known, former.reportedAt);
    const loser = isOlder ? analyte : known;
    if (known !== undefined && loser?.kind === 'measured' && !isSame(known, analyte)) {
      const winner = isOlder ? known : analyte;
      const { providerId, name, result, unit, at } = loser.one;
      replaced.push({ providerId, name, result, unit, at, replacedAt: new Date(timeOf(winner, next.reportedAt)).toISOString() });
    }
    if (!isOlder) merged.set(id, analyte);
  }
  const isNewer = Date.parse(next.reportedAt) >= Date.parse(former.reportedAt);
  const [newest, other] = isNewer ? [next, former] : [former, next];
  const results = [...merged.values()].flatMap((analyte) => (analyte.kind === 'measured' ? [analyte.one] : []));
  return {
    ...newest,
    status: former.status === 'final' || next.status === 'final' ? 'final' : 'partial',
    interpretation: overall(results.map(({ interpretation }) => interpretation)),
    collectedAt: newest.collectedAt ?? other.collectedAt,
    receivedAt: newest.receivedAt ?? other.receivedAt,
    results,
    missing: [...merged.values()].flatMap((analyte) => (analyte.kind === 'missing' ? [analyte.one] : [])),
    history: [...(former.history ?? []), ...replaced].slice(-historyMax),
  };
}

/** Whether merging the report would change nothing that can be read: it repeats what is known, or is older. */
export function isKnown(former: OrderResults, next: OrderResults): boolean {
  if (former.status !== 'final' && next.status === 'final') return false;
  const { results, missing, interpretation } = mergeResults(former, next);
  const visible = (one: Pick<OrderResults, 'results' | 'missing' | 'interpretation'>) =>
    JSON.stringify([one.results.map(({ at: _, ...rest }) => rest), one.missing.map(({ at: _, ...rest }) => rest), one.interpretation]);
  return visible({ results, missing, interpretation }) === visible(former);
}
