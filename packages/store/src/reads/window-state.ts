import type { Executor } from '@pulsewire/database';
import type { SummaryQuery } from './read-summaries.ts';
import type { SampleScan } from './scan-samples.ts';

/**
 * A text that changes with the samples of a window. Hashes of the rows, because the newest version stays the same when an older response,
 * or the same one again, replaces a value. Pieces are hashed as they are stored, whole: the text also changes when samples are packed, and
 * with a sample of the same piece outside the window, which only costs a needless full response.
 */
export async function stateOfSamples({ sql }: Executor, scan: SampleScan): Promise<string> {
  const { provider = '', subKind = '' } = scan;
  const [from, to] = [sql`to_timestamp(${scan.fromMs}::float8 / 1000)`, sql`to_timestamp(${scan.toMs}::float8 / 1000)`];
  const [row] = await sql<{ state: string }[]>`
    SELECT concat_ws('-', sum(r.count), sum(r.hash), sum(p.count), sum(p.hash)) AS state
    FROM sources o CROSS JOIN series k
    CROSS JOIN LATERAL (
      SELECT count(*) AS count, sum(hash_record(ROW(s.ts, s.version, s.value, s.end_ts, s.value2, s.tz_offset, s.extra))) AS hash
      FROM sample_rows(o.user_source_id, k.series, ${from}, ${to}) s) r
    CROSS JOIN LATERAL (
      SELECT count(*) AS count, sum(hash_record(p)) AS hash FROM pieces_between(o.user_source_id, k.series, ${from}, ${to}) p) p
    WHERE o.user_id = ${scan.userId} AND o.team_id = ${scan.teamId} AND k.resource = ${scan.resource}
      AND (${provider} = '' OR o.provider = ${provider}) AND (${subKind} = '' OR k.sub_kind = ${subKind})`;
  return row?.state ?? '';
}

/** The same for all summaries of a resource and user; a change outside the window of a read only costs a needless full response. */
export async function stateOfSummaries({ sql }: Executor, query: Pick<SummaryQuery, 'teamId' | 'userId' | 'resource'>): Promise<string> {
  const [row] = await sql<{ state: string }[]>`
    SELECT concat(count(*), '-', max(version), '-', max(updated_at)) AS state FROM summaries
    WHERE user_id = ${query.userId} AND team_id = ${query.teamId} AND resource = ${query.resource}`;
  return row?.state ?? '';
}
