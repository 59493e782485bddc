import { plainArray, type Tx } from '@pulsewire/database';
import { pieceJson, type PieceJson } from '../reads/piece-json.ts';
import type { IdentifiedBatch } from './identify.ts';
import { withPieces, type Column, type StoredRows } from './piece-rows.ts';

/** Where the samples of some ranges are: all in rows, or also in pieces. Statements about rows alone are cheaper. */
export type StoredForm = 'rows' | 'both';

/** Rows in the range of a batch that are read for each of its entries, at most; beyond that, looking up each key is cheaper. */
const rowsPerEntry = 2;
const rowsMin = 64;

interface Found {
  readonly count: number;
  readonly ts: string | null;
  readonly value: string | null;
  readonly value2: string | null;
  readonly end_ts: string | null;
  readonly tz_offset: string | null;
  readonly context_id: string | null;
  /** Some row cannot be compared here: it has fields in JSON, or a version above the batch's. */
  readonly is_special: boolean | null;
  /** JSON of the pieces that own a part of the range, and the same about their samples. */
  readonly pieces: string | null;
  readonly has_special_pieces: boolean | null;
}

/** The numbers of a Postgres array. JSON is parsed faster, but has neither NaN nor Infinity. */
function numbers(array: string | null): Column {
  if (array === null) return [];
  const items = array.slice(1, -1);
  if (/[ay]/.test(items)) return items.split(',').map((item) => (item === 'NULL' ? null : Number(item)));
  return JSON.parse(`[${items.replaceAll('NULL', 'null')}]`) as Column;
}

const spread = (column: Column, count: number): Column => (column.length === 1 && count > 1 ? Array(count).fill(column[0]) : column);

/**
 * The stored rows of each batch's range, read in one scan of the key. Null where the range holds many more rows than the batch, where rows
 * have fields in JSON, and where one is newer than `version`: those batches are compared in Postgres.
 */
export async function readStoredRows(
  { sql }: Tx,
  batches: readonly IdentifiedBatch[],
  version: bigint,
  form: StoredForm,
): Promise<readonly (StoredRows | null)[]> {
  const firstOf = ({ entries }: IdentifiedBatch) => entries[0]?.sample.ts ?? 0;
  const maxOf = ({ entries }: IdentifiedBatch) => Math.max(rowsMin, entries.length * rowsPerEntry);
  const after = (column: 'ts' | 'end_ts') => sql`floor(date_part('epoch', r.${sql(column)}) * 1000 + 0.5)::bigint - b.from_ms::bigint`;
  // Most columns hold one value, or none, throughout a batch.
  const brief = (column: 'tz_offset' | 'context_id') => {
    const name = sql(column);
    return sql`CASE WHEN count(r.${name}) = 0 THEN NULL WHEN count(r.${name}) = count(*) AND min(r.${name}) = max(r.${name}) THEN '{' || min(r.${name}) || '}' ELSE array_agg(r.${name})::text END`;
  };
  const packed =
    form === 'rows'
      ? sql``
      : sql` CROSS JOIN LATERAL (
      SELECT json_agg(${pieceJson(sql)} ORDER BY p.from_ts)::text AS pieces,
        bool_or(p.extra IS NOT NULL OR p.extras IS NOT NULL OR p.version > ${version.toString()}::bigint
          OR (p.versions IS NOT NULL AND (SELECT max(v) FROM unnest(p.versions) AS v) > ${version.toString()}::bigint)) AS is_special
      FROM pieces_between(b.id, b.series, to_timestamp(b.from_ms / 1000), to_timestamp(b.to_ms / 1000)) p
    ) p`;
  const found = await sql<Found[]>`
    SELECT s.*, ${form === 'rows' ? sql`NULL` : sql`p.pieces`} AS pieces, ${form === 'rows' ? sql`false` : sql`p.is_special`} AS has_special_pieces
    FROM unnest(
      ${plainArray(batches.map((batch) => batch.userSourceId))}::int[], ${plainArray(batches.map((batch) => batch.series))}::smallint[],
      ${plainArray(batches.map(firstOf))}::float8[], ${plainArray(batches.map(({ entries }) => entries.at(-1)?.sample.ts ?? 0))}::float8[],
      ${plainArray(batches.map(maxOf))}::int[]
    ) WITH ORDINALITY AS b(id, series, from_ms, to_ms, max, ord)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, array_agg(${after('ts')})::text AS ts, array_agg(r.value)::text AS value,
        CASE WHEN count(r.value2) > 0 THEN array_agg(r.value2)::text END AS value2,
        CASE WHEN count(r.end_ts) > 0 THEN array_agg(${after('end_ts')})::text END AS end_ts,
        ${brief('tz_offset')} AS tz_offset, ${brief('context_id')} AS context_id,
        count(r.extra) > 0 OR max(r.version) > ${version.toString()}::bigint AS is_special
      FROM (
        SELECT s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.context_id, s.extra FROM samples s
        WHERE s.user_source_id = b.id AND s.series = b.series AND s.ts >= to_timestamp(b.from_ms / 1000) AND s.ts <= to_timestamp(b.to_ms / 1000)
        ORDER BY s.ts LIMIT b.max
      ) r
    ) s${packed} ORDER BY b.ord`;
  return batches.map((batch, index) => {
    const row = found[index];
    if (!row || row.is_special === true || row.has_special_pieces === true || row.count >= maxOf(batch)) return null;
    const { count, pieces } = row;
    const fromMs = firstOf(batch);
    const timesOf = (column: string | null) => numbers(column).map((ms) => (ms === null ? null : fromMs + ms));
    const rows: StoredRows = {
      ts: timesOf(row.ts) as number[],
      value: numbers(row.value),
      value2: numbers(row.value2),
      end: timesOf(row.end_ts),
      offset: spread(numbers(row.tz_offset), count),
      contextId: spread(numbers(row.context_id), count),
    };
    if (pieces === null) return rows;
    const all = withPieces(rows, JSON.parse(pieces) as readonly PieceJson[], { fromMs, toMs: batch.entries.at(-1)?.sample.ts ?? 0 });
    return all.ts.length >= maxOf(batch) ? null : all;
  });
}
