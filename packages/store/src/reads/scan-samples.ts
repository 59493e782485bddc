import { timeseriesResource } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';
import { numbers, toChunk, type Columns, type Member, type SampleChunk } from './sample-columns.ts';

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

interface Position {
  /** Microseconds since the epoch. */
  readonly us: number;
  /** From 1 in the order of the members; 0 sorts before all. */
  readonly member: number;
}

/** The series that make up the resource, one per source and sub-kind. */
function findMembers({ sql }: Executor, scan: SampleScan): Promise<readonly Member[]> {
  const { provider = '', subKind = '' } = scan;
  return sql<Member[]>`
    SELECT o.user_source_id, k.series, k.sub_kind FROM sources o CROSS JOIN series k
    WHERE o.user_id = ${scan.userId} AND o.team_id = ${scan.teamId} AND k.resource = ${scan.resource}
      AND (${provider} = '' OR o.provider = ${provider}) AND (${subKind} = '' OR k.sub_kind = ${subKind})
    ORDER BY o.user_source_id, k.series`;
}

/** The rows after a position. One member, as most users have, is read in the order of the key, without a sort. */
function rowsAfter(sql: Executor['sql'], members: readonly Member[], { us, member }: Position, untilMs: number) {
  const [only] = members;
  const start = sql`to_timestamp(${us}::float8 / 1000000)`;
  const end = sql`to_timestamp(${untilMs}::float8 / 1000)`;
  if (members.length === 1 && only) {
    return sql`
      SELECT s.*, 1 AS member FROM samples s
      WHERE s.user_source_id = ${only.user_source_id} AND s.series = ${only.series}
        AND s.ts >= ${start} AND s.ts <= ${end} AND (s.ts > ${start} OR ${member === 0})
      ORDER BY s.ts LIMIT ${samplesPerChunk}`;
  }
  const sources = plainArray(members.map(({ user_source_id: id }) => id));
  const series = plainArray(members.map((one) => one.series));
  return sql`
    SELECT s.*, w.member
    FROM unnest(${sources}::integer[], ${series}::smallint[]) WITH ORDINALITY AS w(user_source_id, series, member)
    CROSS JOIN LATERAL (
      SELECT * FROM samples s
      WHERE s.user_source_id = w.user_source_id AND s.series = w.series
        AND s.ts >= ${start} AND s.ts <= ${end} AND (s.ts > ${start} OR w.member > ${member})
      ORDER BY s.ts LIMIT ${samplesPerChunk}
    ) s
    ORDER BY s.ts, w.member LIMIT ${samplesPerChunk}`;
}

const baseOf = ({ us }: Position) => Math.floor(us / 1000);

async function readColumns({ sql }: Executor, scan: SampleScan, members: readonly Member[], after: Position): Promise<Columns | undefined> {
  const baseMs = baseOf(after);
  const msOf = (time: 'ts' | 'end_ts') =>
    sql`floor(date_part('epoch', ${time === 'ts' ? sql`ts` : sql`end_ts`}) * 1000 + 0.5)::bigint - ${baseMs}::bigint`;
  const row = timeseriesResource(scan.resource);
  const none = sql`NULL::text`;
  const hasEnd = row.shape === 'interval' || row.showsKnownEnd;
  const hasExtra = row.valueForm === 'text' || row.extraFields.length > 0 || row.subKinds?.presence === 'optional';
  // Arrays, because the driver takes longer for a row than Postgres does. They have the order of the rows that they are made of.
  const [columns] = await sql<Columns[]>`
    SELECT (date_part('epoch', max(ts)) * 1000000)::bigint AS last_us, array_agg(${msOf('ts')})::text AS ts,
           array_agg(value)::text AS value, array_agg(tz_offset)::text AS tz_offset,
           ${members.length === 1 ? none : sql`array_agg(member)::text`} AS member,
           ${hasEnd ? sql`array_agg(${msOf('end_ts')})::text` : none} AS end_ts,
           ${row.valueForm === 'pressure' ? sql`array_agg(value2)::text` : none} AS value2,
           ${hasExtra ? sql`jsonb_agg(extra)::text` : none} AS extra
    FROM (${rowsAfter(sql, members, after, scan.toMs)}) AS r`;
  return columns;
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
    const ts = numbers(columns?.ts ?? null);
    if (columns === undefined || ts.length === 0) return;
    const isLast = ts.length < samplesPerChunk;
    const baseMs = baseOf(after);
    after = { us: Number(columns.last_us), member: Number(columns.member?.slice(columns.member.lastIndexOf(',') + 1, -1) ?? 1) };
    // While this chunk is written, Postgres reads the next one.
    if (!isLast) ahead = fetchAfter(after);
    yield toChunk(members, columns, ts, baseMs);
    if (isLast) return;
  }
}
