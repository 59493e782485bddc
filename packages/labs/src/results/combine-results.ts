import { overall } from './interpret.ts';
import type { OrderResults } from '../model/results.ts';

/** Combines the results of several orders (oldest first), keeping the latest of each analyte; null without any. */
export function combineResults(all: readonly OrderResults[]): OrderResults | null {
  const latest = all.at(-1);
  if (latest === undefined || all.length === 1) return latest ?? null;
  // By code, because one may have several results.
  const byCode = new Map(all.flatMap((one) => [...Map.groupBy(one.results, ({ providerId }) => providerId)]));
  const results = [...byCode.values()].flat();
  const measured = new Set(results.map(({ providerId }) => providerId));
  const missing = new Map(all.flatMap((one) => one.missing).map((result) => [result.providerId, result]));
  return {
    ...latest,
    interpretation: overall(results.map(({ interpretation }) => interpretation)),
    results,
    missing: [...missing.values()].filter(({ providerId }) => !measured.has(providerId)),
  };
}
