import { dayMs } from '@pulsewire/kernel';
import { findResource } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { filterHash, readCursor, writeCursor } from '../reads/cursor.ts';
import { readGroupedSamples, type SamplePage, type SampleQuery } from '../reads/read-grouped-samples.ts';
import { mergeSamples, type MergedGroup } from './merge-samples.ts';
import type { SourceOrder } from './source-order.ts';

/** Samples of one query while a day is read. */
const chunk = 20_000;
/** Maximum number of days in a page, so that its cost does not depend on the window. */
const daysMax = 31;

export interface MergedPage {
  readonly groups: Readonly<Record<string, readonly MergedGroup[]>>;
  readonly nextCursor: string | null;
}

/** The first sample at or after an instant, ms since the epoch; null: none. */
async function firstFrom({ sql }: Executor, query: SampleQuery, fromMs: number): Promise<number | null> {
  const [row] = await sql<{ ms: number | null }[]>`
    SELECT date_part('epoch', min(s.ts)) * 1000 AS ms
    FROM sources o CROSS JOIN series k
    CROSS JOIN LATERAL (
      SELECT f.ts FROM first_stored_samples(o.user_source_id, k.series, to_timestamp(${fromMs}::float8 / 1000), to_timestamp(${query.toMs}::float8 / 1000), 1) f) s
    WHERE o.user_id = ${query.userId} AND o.team_id = ${query.teamId} AND k.resource = ${query.resource}
      AND (${query.provider ?? ''} = '' OR o.provider = ${query.provider ?? ''})`;
  return row?.ms ?? null;
}

/** A sample of an interval may reach into another day, and so compete with samples there. */
function neighboursOf(resource: string): number {
  const known = findResource(resource);
  return known?.kind === 'timeseries' && (known.shape === 'interval' || known.showsKnownEnd) ? dayMs : 0;
}

/** All samples of some days. */
async function readDays(executor: Executor, query: SampleQuery, fromMs: number, toMs: number): Promise<SamplePage['groups']> {
  const groups: Record<string, SamplePage['groups'][string][number][]> = {};
  let cursor: string | null = null;
  do {
    const page: SamplePage = await readGroupedSamples(executor, { ...query, fromMs, toMs, limit: chunk, cursor });
    for (const [provider, own] of Object.entries(page.groups)) (groups[provider] ??= []).push(...own);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return groups;
}

/**
 * One page of a merged view: as many whole UTC days as contain `limit` samples. Each day is merged whole and with the days beside it, so that
 * the result depends neither on the page nor on the window. Throws AppError `cursor_unreadable` for a cursor of another query.
 */
export async function readMergedSamples(
  executor: Executor,
  query: SampleQuery,
  order: SourceOrder,
  orderText: string,
): Promise<MergedPage> {
  const hash = filterHash(['merged', query.userId, query.resource, query.provider ?? '', query.fromMs, query.toMs, orderText]);
  const groups: Record<string, MergedGroup[]> = {};
  let fromMs = query.cursor ? readCursor(query.cursor, hash).tsMs : query.fromMs;
  const beside = neighboursOf(query.resource);
  let count = 0;
  for (let days = 0; days < daysMax && count < query.limit; days += 1) {
    const nextMs = await firstFrom(executor, query, fromMs);
    if (nextMs === null) return { groups, nextCursor: null };
    const dayStartMs = Math.floor(nextMs / dayMs) * dayMs;
    const dayEndMs = dayStartMs + dayMs - 1;
    const groupsAround = await readDays(executor, query, dayStartMs - beside, dayEndMs + beside);
    const [wantedFromMs, wantedToMs] = [Math.max(dayStartMs, query.fromMs), Math.min(dayEndMs, query.toMs)];
    const isWanted = (startMs: number) => startMs >= wantedFromMs && startMs <= wantedToMs;
    for (const group of mergeSamples(query.resource, groupsAround, order, isWanted)) {
      (groups[group.source.provider] ??= []).push(group);
      count += group.data.length;
    }
    fromMs = dayStartMs + dayMs;
  }
  if ((await firstFrom(executor, query, fromMs)) === null) return { groups, nextCursor: null };
  return { groups, nextCursor: writeCursor({ provider: '', sourceType: 'merged', tsMs: fromMs, series: 0 }, hash) };
}
