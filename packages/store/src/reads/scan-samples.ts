import type { Sample } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';

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

/** A sample with the sub-kind of its series; empty where the series has none. */
export interface ScannedSample {
  readonly subKind: string;
  readonly sample: Sample;
}

/** Runs one query of a scan; the caller limits how many run at the same time. */
export type RunQuery = <T>(query: () => Promise<T>) => Promise<T>;

/** Samples fetched per query: some 200 KB of JSON, so that a response in flight stays small. */
export const samplesPerChunk = 2048;

interface Member {
  user_source_id: number;
  series: number;
  sub_kind: string;
}

type Values = [
  tsMs: number,
  member: string,
  value: number | null,
  tzOffset: number | null,
  endMs: number | null,
  value2: number | null,
  extra: Record<string, unknown> | null,
];

// Spreading conditional parts would take longer than reading the row.
function toSample([tsMs, , value, timezoneOffset, endMs, value2, extra]: Values): Sample {
  const sample: { -readonly [key in keyof Sample]: Sample[key] } = { ts: Math.round(tsMs), value, timezoneOffset };
  if (endMs !== null) sample.end = Math.round(endMs);
  if (value2 !== null) sample.value2 = value2;
  if (extra !== null) sample.extra = extra;
  return sample;
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

/**
 * Every sample of a window in order of time, in chunks; the next chunk is prefetched. No connection or snapshot is held between chunks, so
 * a slow reader blocks nothing; changes behind the scan's position are not seen.
 */
export async function* scanSamples(executor: Executor, scan: SampleScan, run: RunQuery): AsyncGenerator<readonly ScannedSample[]> {
  const { sql } = executor;
  const members = await run(() => findMembers(executor, scan));
  const sources = plainArray(members.map((member) => member.user_source_id));
  const series = plainArray(members.map((member) => member.series));
  const fetchAfter = (after: { readonly tsMs: number; readonly member: number }) => {
    const rows = run(
      () =>
        sql`
        SELECT date_part('epoch', s.ts) * 1000, w.member, s.value, s.tz_offset, date_part('epoch', s.end_ts) * 1000, s.value2, s.extra
        FROM unnest(${sources}::integer[], ${series}::smallint[]) WITH ORDINALITY AS w(user_source_id, series, member)
        CROSS JOIN LATERAL (
          SELECT * FROM samples s
          WHERE s.user_source_id = w.user_source_id AND s.series = w.series
            AND s.ts >= to_timestamp(${after.tsMs}::float8 / 1000) AND s.ts <= to_timestamp(${scan.toMs}::float8 / 1000)
            AND (s.ts > to_timestamp(${after.tsMs}::float8 / 1000) OR w.member > ${after.member})
          ORDER BY s.ts LIMIT ${samplesPerChunk}
        ) s
        ORDER BY s.ts, w.member
        LIMIT ${samplesPerChunk}`.values() as unknown as Promise<readonly Values[]>,
    );
    // A reader that stops early never awaits the prefetched chunk.
    rows.catch(() => {});
    return rows;
  };
  if (members.length === 0) return;
  // Member 0 sorts before every key, so the first chunk starts at the start of the window.
  let ahead = fetchAfter({ tsMs: scan.fromMs, member: 0 });
  for (;;) {
    const rows = await ahead;
    const last = rows.at(-1);
    if (last === undefined) return;
    const isLastChunk = rows.length < samplesPerChunk;
    // While this chunk is written, Postgres reads the next one.
    if (!isLastChunk) ahead = fetchAfter({ tsMs: last[0], member: Number(last[1]) });
    yield rows.map((row) => ({ subKind: members[Number(row[1]) - 1]?.sub_kind ?? '', sample: toSample(row) }));
    if (isLastChunk) return;
  }
}
