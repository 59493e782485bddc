import type { Sample, SampleGroup, SampleRemoval, SourceRef } from '@pulsewire/contract';

/** A sample to be written to a series, with its attributes beyond the identity. */
export interface Entry {
  readonly sample: Sample;
  readonly source: SourceRef;
}

/** The identity of a series within a user. */
export interface SeriesKey {
  readonly provider: string;
  readonly sourceType: string;
  readonly resource: string;
  readonly subKind: string;
}

/** All samples of one series from one source in a batch, by time, each time once. */
export interface SeriesBatch extends SeriesKey {
  readonly entries: readonly Entry[];
}

/** All samples of one series from one source that a batch removes: their times in ms since the epoch, ascending, each once. */
export interface SeriesRemoval extends SeriesKey {
  readonly times: readonly number[];
}

function keyOf({ source, resource, subKind = '' }: SampleGroup | SampleRemoval): SeriesKey {
  return { provider: source.provider, sourceType: source.type, resource, subKind };
}

/** Groups removals by identity. */
export function gatherRemovals(removals: readonly SampleRemoval[]): readonly SeriesRemoval[] {
  const named = removals.filter(({ ts }) => ts.length > 0);
  return [...Map.groupBy(named, (removal) => Object.values(keyOf(removal)).join('\n')).values()].map((group) => ({
    ...keyOf(group[0] as SampleRemoval),
    times: [...new Set(group.flatMap(({ ts }) => ts))].sort((a, b) => a - b),
  }));
}

/**
 * Merges groups with the same identity (resource with required sub-kind, provider, source type) and sorts them by time. Of two samples at
 * the same time, the later one in the response wins.
 */
export function gatherSeries(groups: readonly SampleGroup[]): readonly SeriesBatch[] {
  const bySeries = new Map<string, { first: SampleGroup; entries: Entry[] }>();
  for (const group of groups) {
    if (group.samples.length === 0) continue;
    const key = JSON.stringify([group.source.provider, group.source.type, group.resource, group.subKind ?? '']);
    let gathered = bySeries.get(key);
    if (!gathered) bySeries.set(key, (gathered = { first: group, entries: [] }));
    for (const sample of group.samples) gathered.entries.push({ sample, source: group.source });
  }
  return [...bySeries.values()].map(({ first, entries }) => ({
    ...keyOf(first),
    entries: sortedOnce(entries),
  }));
}

function sortedOnce(entries: Entry[]): Entry[] {
  let isRising = true;
  for (let i = 1; i < entries.length && isRising; i++) isRising = (entries[i - 1] as Entry).sample.ts < (entries[i] as Entry).sample.ts;
  if (isRising) return entries;
  // Later entries overwrite earlier ones; the sort is by a key that is unique afterwards.
  const byTime = new Map(entries.map((entry) => [entry.sample.ts, entry]));
  return [...byTime.values()].sort((a, b) => a.sample.ts - b.sample.ts);
}
