import { timeseriesResource } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';
import { mergeRuns, partOf, type Position } from './merge-runs.ts';
import { pieceJson, type PieceJson } from './piece-json.ts';
import { pieceRun } from './piece-run.ts';
import { numbers, rowsRun, type Columns, type Member, type SampleChunk } from './sample-columns.ts';

export interface SampleScan {
  readonly teamId: string;
  readonly userId: string;
  /** Resource name as in events. */
  readonly resource: string;
  /** Read only this sub-kind; absent: all of them. */
  readonly subKind?: string | undefined;
  /** Provider slug; empty or absent: all providers. */
  readonly provider?: string | undefined;
  /** Both inclusive, ms since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Runs one query of a scan; the caller limits how many run at the same time. */
export type RunQuery = <T>(query: () => Promise<T>) => Promise<T>;

/** Samples fetched per query: some 200 KB of texts. */
export const samplesPerChunk = 8192;

/** Pieces of a series that are decoded for a chunk: about as many samples. */
const piecesPerChunk = 12;

/** The series that make up the resource, one per source and sub-kind. */
function findMembers({ sql }: Executor, scan: SampleScan): Promise<readonly Member[]> {
  const { provider = '', subKind = '' } = scan;
  return sql<Member[]>`
    SELECT o.user_source_id, k.series, k.sub_kind FROM sources o CROSS JOIN series k
    WHERE o.user_id = ${scan.userId} AND o.team_id = ${scan.teamId} AND k.resource = ${scan.resource}
      AND (${provider} = '' OR o.provider = ${provider}) AND (${subKind} = '' OR k.sub_kind = ${subKind})
    ORDER BY o.user_source_id, k.series`;
}

/** The rows after a position, up to `bound.until`. One member, as most users have, is read in the order of the key, without a sort. */
function rowsAfter(sql: Executor['sql'], members: readonly Member[], { us, member }: Position) {
  const [only] = members;
  const start = sql`to_timestamp(${us}::float8 / 1000000)`;
  const later = sql`interval '1 microsecond'`;
  if (members.length === 1 && only) {
    // The bound comes from a join: with a subquery as its argument, Postgres would call the function, which reads the whole window.
    return sql`
      SELECT s.*, 1 AS member FROM bound b CROSS JOIN LATERAL (
        SELECT * FROM sample_rows(${only.user_source_id}, ${only.series}, ${member === 0 ? start : sql`${start} + ${later}`}, b.until) s
        ORDER BY s.ts LIMIT ${samplesPerChunk}
      ) s`;
  }
  return sql`
    SELECT s.*, w.member
    FROM w CROSS JOIN bound b CROSS JOIN LATERAL (
      SELECT * FROM sample_rows(w.user_source_id, w.series, ${start} + CASE WHEN w.member > ${member} THEN interval '0' ELSE ${later} END, b.until) s
      ORDER BY s.ts LIMIT ${samplesPerChunk}
    ) s
    ORDER BY s.ts, w.member LIMIT ${samplesPerChunk}`;
}

/** The columns of the pieces between a position and `bound.until`, in order of time, each with its member. */
function piecesAfter(sql: Executor['sql'], { us }: Position) {
  return sql`
    SELECT json_agg(json_build_array(w.member, ${pieceJson(sql)}) ORDER BY p.from_ts)
    FROM w CROSS JOIN bound b
    CROSS JOIN LATERAL pieces_between(w.user_source_id, w.series, to_timestamp(${us}::float8 / 1000000), b.until) p`;
}

const baseOf = ({ us }: Position) => Math.floor(us / 1000);

interface Found extends Columns {
  /** Microseconds since the epoch: what the chunk has of rows and pieces is complete up to this time. */
  readonly until_us: string;
  readonly pieces: string | null;
}

async function readColumns({ sql }: Executor, scan: SampleScan, members: readonly Member[], after: Position): Promise<Found | undefined> {
  const baseMs = baseOf(after);
  const msOf = (time: 'ts' | 'end_ts') =>
    sql`floor(date_part('epoch', ${time === 'ts' ? sql`ts` : sql`end_ts`}) * 1000 + 0.5)::bigint - ${baseMs}::bigint`;
  const row = timeseriesResource(scan.resource);
  const none = sql`NULL::text`;
  const hasEnd = row.shape === 'interval' || row.showsKnownEnd;
  const hasExtra = row.valueForm === 'text' || row.extraFields.length > 0 || row.subKinds?.presence === 'optional';
  const start = sql`to_timestamp(${after.us}::float8 / 1000000)`;
  const end = sql`to_timestamp(${scan.toMs}::float8 / 1000)`;
  // Arrays, because the driver takes longer for a row than Postgres does. They have the order of the rows that they are made of.
  const [columns] = await sql<Found[]>`
    WITH w AS (
      SELECT * FROM unnest(${plainArray(members.map(({ user_source_id: id }) => id))}::integer[], ${plainArray(members.map(({ series }) => series))}::smallint[])
        WITH ORDINALITY AS w(user_source_id, series, member)),
    bound AS MATERIALIZED (
      SELECT least(${end}, min(n.to_ts)) AS until FROM w CROSS JOIN LATERAL (
        SELECT p.to_ts FROM pieces_between(w.user_source_id, w.series, ${start}, ${end}) p ORDER BY p.from_ts OFFSET ${piecesPerChunk - 1} LIMIT 1) n)
    SELECT (date_part('epoch', max(ts)) * 1000000)::bigint AS last_us, array_agg(${msOf('ts')})::text AS ts,
           array_agg(value)::text AS value, array_agg(tz_offset)::text AS tz_offset,
           ${members.length === 1 ? none : sql`array_agg(member)::text`} AS member,
           ${hasEnd ? sql`array_agg(${msOf('end_ts')})::text` : none} AS end_ts,
           ${row.valueForm === 'pressure' ? sql`array_agg(value2)::text` : none} AS value2,
           ${hasExtra ? sql`jsonb_agg(extra)::text` : none} AS extra,
           (SELECT (date_part('epoch', until) * 1000000)::bigint FROM bound) AS until_us, (${piecesAfter(sql, after)})::text AS pieces
    FROM (${rowsAfter(sql, members, after)}) AS r`;
  return columns;
}

/** The chunk after a position, and the position up to which it is complete. */
function toChunk(members: readonly Member[], columns: Found, after: Position): { readonly chunk: SampleChunk; readonly until: Position } {
  const ts = numbers(columns.ts);
  const rows = rowsRun(members, columns, ts, baseOf(after));
  const until: Position =
    ts.length === samplesPerChunk
      ? { us: Number(columns.last_us), member: rows.memberAt(ts.length - 1) }
      : { us: Number(columns.until_us), member: members.length };
  if (columns.pieces === null) return { chunk: rows, until };
  const pieces = Map.groupBy(JSON.parse(columns.pieces) as readonly (readonly [number, PieceJson])[], ([member]) => member);
  const lists = [...pieces].map(([member, own]) => {
    const subKind = members[member - 1]?.sub_kind ?? '';
    return own.flatMap(([, piece]) => partOf(pieceRun(piece, member, subKind), after, until));
  });
  return { chunk: mergeRuns([ts.length === 0 ? [] : [{ run: rows, from: 0, to: ts.length }], ...lists]), until };
}

/**
 * Every sample of a window in order of time, in chunks; the next chunk is prefetched. No connection or snapshot is held between chunks, so
 * a slow reader blocks nothing; changes behind the scan's position are not seen.
 */
export async function* scanSamples(executor: Executor, scan: SampleScan, run: RunQuery): AsyncGenerator<SampleChunk> {
  const members = await run(() => findMembers(executor, scan));
  if (members.length === 0) return;
  const fetchAfter = (after: Position) => {
    const columns = run(() => readColumns(executor, scan, members, after));
    // A reader that stops early never awaits the prefetched chunk.
    columns.catch(() => {});
    return columns;
  };
  let after: Position = { us: scan.fromMs * 1000, member: 0 };
  let ahead = fetchAfter(after);
  for (;;) {
    const columns = await ahead;
    if (columns === undefined) return;
    const { chunk, until } = toChunk(members, columns, after);
    const isLast = until.us >= scan.toMs * 1000 && until.member === members.length;
    after = until;
    // While this chunk is written, Postgres reads the next one.
    if (!isLast) ahead = fetchAfter(after);
    if (chunk.count > 0) yield chunk;
    if (isLast) return;
  }
}
