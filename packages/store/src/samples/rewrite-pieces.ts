import { plainArray, type Fragment, type Tx } from '@pulsewire/database';
import { rowsAsTable, type Row } from './columns.ts';
import { encodePieces, lengthMaxMs, pieceColumns } from './encode-pieces.ts';
import { findPieces, type Piece, type SampleKey } from './find-pieces.ts';
import { unpackPieces } from './unpack-pieces.ts';

/** A piece that would have more samples than this becomes rows; the job packs them again. */
const samplesMax = 4000;

interface Owned<T> {
  readonly piece: Piece;
  readonly item: T;
}

const nameOf = ({ userSourceId, series, fromMs }: Piece) => `${userSourceId}/${series}/${fromMs}`;

const keyOf = ({ batch, entry }: Row): SampleKey => ({ userSourceId: batch.userSourceId, series: batch.series, ts: entry.sample.ts });

const isLong = ({ entry: { sample } }: Row) => sample.end !== undefined && Math.abs(sample.end - sample.ts) > lengthMaxMs;

/**
 * Writes rows into the pieces that own their times, and returns the others, which no piece owns. Of the rows, `created` have no stored sample
 * and `updated` have one. The caller holds the user's lock.
 */
export async function writeIntoPieces(
  tx: Tx,
  { created, updated }: { readonly created: readonly Row[]; readonly updated: readonly Row[] },
  version: bigint,
): Promise<{ readonly created: readonly Row[]; readonly updated: readonly Row[] }> {
  const rows = [...created, ...updated];
  if (rows.length === 0) return { created, updated };
  const pieces = await findPieces(tx, rows.map(keyOf));
  const owned = rows.flatMap((item, index) => (pieces[index] ? [{ item, piece: pieces[index], isNew: index < created.length }] : []));
  const unpacked = new Set<string>();
  for (const [name, own] of Map.groupBy(owned, ({ piece }) => nameOf(piece))) {
    const count = (own[0]?.piece.count ?? 0) + own.filter(({ isNew }) => isNew).length;
    if (count > samplesMax || own.some(({ item }) => isLong(item))) unpacked.add(name);
  }
  const inPieces = owned.filter(({ piece }) => !unpacked.has(nameOf(piece)));
  await unpackPieces(tx, uniquePieces(owned.filter(({ piece }) => unpacked.has(nameOf(piece)))));
  await replaceIn(tx, inPieces, version);
  const written = new Set(inPieces.map(({ item }) => item));
  return { created: created.filter((row) => !written.has(row)), updated: updated.filter((row) => !written.has(row)) };
}

const uniquePieces = (owned: readonly Owned<unknown>[]) => [...new Map(owned.map(({ piece }) => [nameOf(piece), piece])).values()];

async function replaceIn(tx: Tx, owned: readonly Owned<Row>[], version: bigint): Promise<void> {
  if (owned.length === 0) return;
  const { sql } = tx;
  const rows = rowsAsTable(
    sql,
    owned.map(({ item }) => item),
  );
  await rewrite(
    tx,
    sql`
      SELECT i.user_source_id, i.series, to_timestamp(k.ms / 1000) AS piece, i.ts, ${version.toString()}::bigint AS version, i.value, i.value2,
        i.end_ts, i.tz_offset, i.tz_origin, i.context_id, i.extra, false AS is_gone
      FROM ${rows} JOIN unnest(${plainArray(owned.map(({ piece }) => piece.fromMs))}::float8[]) WITH ORDINALITY AS k(ms, ord) USING (ord)`,
  );
}

/** Replaces the samples of pieces that `changes` names, or removes those that are gone. A piece that loses all of its samples is deleted. */
async function rewrite({ sql }: Tx, changes: Fragment): Promise<void> {
  // Sorted, not joined: Postgres cannot estimate the number of samples and might choose a quadratic plan.
  const merged = sql`
    SELECT m.* FROM (
      SELECT DISTINCT ON (a.user_source_id, a.series, a.piece, a.ts) a.*
      FROM (
        SELECT c.*, 0 AS place FROM changes c
        UNION ALL
        SELECT p.user_source_id, p.series, p.from_ts, s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra, false, 1
        FROM touched t JOIN sample_pieces p ON p.user_source_id = t.user_source_id AND p.series = t.series AND p.from_ts = t.piece
        CROSS JOIN LATERAL samples_of_piece(p) s
      ) a ORDER BY a.user_source_id, a.series, a.piece, a.ts, a.place
    ) m WHERE NOT m.is_gone`;
  const ofPiece = (alias: string) =>
    sql.unsafe(`p.user_source_id = ${alias}.user_source_id AND p.series = ${alias}.series AND p.from_ts = ${alias}.piece`);
  await sql`
    WITH changes AS MATERIALIZED (${changes}),
    touched AS MATERIALIZED (SELECT DISTINCT c.user_source_id, c.series, c.piece FROM changes c),
    packed AS MATERIALIZED (${encodePieces(sql, merged)}),
    emptied AS (
      DELETE FROM sample_pieces p USING touched t
      WHERE ${ofPiece('t')} AND NOT EXISTS (SELECT FROM packed k WHERE ${ofPiece('k')}))
    UPDATE sample_pieces p SET (${sql.unsafe(pieceColumns.join(', '))}) = (SELECT ${sql.unsafe(pieceColumns.map((name) => `k.${name}`).join(', '))})
    FROM packed k WHERE ${ofPiece('k')}`;
}

/** Removes samples from the pieces that have them, if their version is below this one; returns what was removed. The caller holds the user's lock. */
export async function removeFromPieces(tx: Tx, keys: readonly SampleKey[], version: bigint): Promise<readonly SampleKey[]> {
  const { sql } = tx;
  if (keys.length === 0) return [];
  const pieces = await findPieces(tx, keys);
  const named = keys.flatMap((item, index) => (pieces[index] ? [{ item, piece: pieces[index] }] : []));
  if (named.length === 0) return [];
  const owners = uniquePieces(named);
  const rows = await sql<{ id: number; series: number; ms: number }[]>`
    SELECT p.user_source_id AS id, p.series, date_part('epoch', s.ts) * 1000 AS ms
    FROM unnest(${plainArray(owners.map(({ userSourceId }) => userSourceId))}::int[], ${plainArray(owners.map(({ series }) => series))}::smallint[],
      ${plainArray(owners.map(({ fromMs }) => fromMs))}::float8[]) AS k(id, series, ms)
    JOIN sample_pieces p ON p.user_source_id = k.id AND p.series = k.series AND p.from_ts = to_timestamp(k.ms / 1000)
    CROSS JOIN LATERAL samples_of_piece(p) s WHERE s.version < ${version.toString()}::bigint`;
  const found = new Set(rows.map(({ id, series, ms }) => `${id}/${series}/${Math.round(ms)}`));
  const gone = named.filter(({ item }) => found.has(`${item.userSourceId}/${item.series}/${item.ts}`));
  if (gone.length === 0) return [];
  const column = (pick: (one: Owned<SampleKey>) => number) => plainArray(gone.map(pick));
  await rewrite(
    tx,
    sql`
      SELECT k.id AS user_source_id, k.series, to_timestamp(k.piece_ms / 1000) AS piece, to_timestamp(k.ms / 1000) AS ts, NULL::bigint AS version,
        NULL::float8 AS value, NULL::float8 AS value2, NULL::timestamptz AS end_ts, NULL::int AS tz_offset, NULL::smallint AS tz_origin,
        NULL::int AS context_id, NULL::jsonb AS extra, true AS is_gone
      FROM unnest(${column(({ item }) => item.userSourceId)}::int[], ${column(({ item }) => item.series)}::smallint[],
        ${column(({ item }) => item.ts)}::float8[], ${column(({ piece }) => piece.fromMs)}::float8[]) AS k(id, series, ms, piece_ms)`,
  );
  return gone.map(({ item }) => item);
}
