import { plainArray, textArray, type Sql } from '@pulsewire/database';
import type { OffsetOrigin } from '@pulsewire/contract';
import { originCode } from '../model/offset-origin.ts';
import type { Entry } from '../model/series-batch.ts';
import { contextKey, type IdentifiedBatch } from './identify.ts';

/** One sample with its full key, ready to be a row. */
export interface Row {
  readonly batch: IdentifiedBatch;
  readonly entry: Entry;
  readonly contextId: number | null;
  /** Code of the origin of its offset. */
  readonly origin: number | null;
}

/** Rows of these batches in key order. */
export function toRows(
  batches: readonly IdentifiedBatch[],
  contexts: ReadonlyMap<string, number>,
  offsetsFrom: OffsetOrigin | undefined,
): Row[] {
  const rows: Row[] = [];
  for (const batch of batches) {
    for (const entry of batch.entries) {
      const contextId = contexts.size === 0 ? null : (contexts.get(`${batch.userSourceId}\n${contextKey(entry.source)}`) ?? null);
      const { timezoneOffset, offsetFrom = offsetsFrom } = entry.sample;
      rows.push({ batch, entry, contextId, origin: timezoneOffset === null ? null : originCode(offsetFrom) });
    }
  }
  return rows;
}

/**
 * Rows as a FROM item `i(user_source_id, series, ts, value, value2, end_ts, tz_offset, tz_origin, context_id, extra, ord)`. Times are
 * passed as milliseconds: text forms cost several times as much on both sides.
 */
export function rowsAsTable(sql: Sql, rows: readonly Row[]) {
  const column = (pick: (row: Row) => number | null) => plainArray(rows.map(pick));
  return sql`(
    SELECT u.user_source_id, u.series, to_timestamp(u.ts / 1000) AS ts, u.value, u.value2, to_timestamp(u.end_ts / 1000) AS end_ts,
           u.tz_offset, u.tz_origin, u.context_id, u.extra::jsonb AS extra, u.ord
    FROM unnest(
      ${column((row) => row.batch.userSourceId)}::int[], ${column((row) => row.batch.series)}::smallint[],
      ${column((row) => row.entry.sample.ts)}::float8[], ${column((row) => row.entry.sample.value)}::float8[],
      ${column((row) => row.entry.sample.value2 ?? null)}::float8[], ${column((row) => row.entry.sample.end ?? null)}::float8[],
      ${column((row) => row.entry.sample.timezoneOffset)}::int[], ${column((row) => row.origin)}::smallint[], ${column((row) => row.contextId)}::int[],
      ${textArray(rows.map((row) => extraText(row)))}::text[]
    ) WITH ORDINALITY AS u(user_source_id, series, ts, value, value2, end_ts, tz_offset, tz_origin, context_id, extra, ord)
  ) AS i`;
}

export function extraText({ entry }: Row): string | null {
  return entry.sample.extra === undefined ? null : JSON.stringify(entry.sample.extra);
}
