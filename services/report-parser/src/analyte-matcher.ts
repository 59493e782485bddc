import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { listAnalytes, type CatalogueAnalyte } from '@pulsewire/labs';
import { createLoincMatcher, type Analyte, type MatchLoinc } from '@pulsewire/report-parser';

/** The catalogue changes with releases, so an index this old is good enough. */
const freshMs = 10 * 60_000;

function toAnalyte({ loincCode, loincName, unit, names }: CatalogueAnalyte): Analyte {
  const [displayName = loincName, ...aliases] = names;
  return { loincCode, loincName, displayName, aliases, units: unit === null ? [] : [unit] };
}

/** The matcher for the analytes of the catalogue, rebuilt when it is old. */
export function createAnalyteMatcher(database: Database, clock: Clock): () => Promise<MatchLoinc> {
  let current: { readonly match: MatchLoinc; readonly atMs: number } | undefined;
  return async () => {
    if (current === undefined || clock.monotonicMs() - current.atMs > freshMs)
      current = { match: createLoincMatcher((await listAnalytes(database)).map(toAnalyte)), atMs: clock.monotonicMs() };
    return current.match;
  };
}
