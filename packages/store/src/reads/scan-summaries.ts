import type { WireSummary } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { readSummaryPage, type SummaryPage, type SummaryPosition, type SummaryQuery } from './read-summaries.ts';
import type { RunQuery } from './scan-samples.ts';

/** Summaries fetched per query. */
export const summariesPerChunk = 200;

/** Every summary of a window in order of time, in chunks, as `scanSamples` reads samples. */
export async function* scanSummaries(executor: Executor, query: SummaryQuery, run: RunQuery): AsyncGenerator<readonly WireSummary[]> {
  let after: SummaryPosition | null = null;
  do {
    const from: SummaryPosition | null = after;
    const page: SummaryPage = await run(() => readSummaryPage(executor, query, { after: from, limit: summariesPerChunk }));
    if (page.summaries.length > 0) yield page.summaries;
    after = page.next;
  } while (after !== null);
}
