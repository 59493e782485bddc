import type { SampleRemoval } from '@pulsewire/contract';
import { plainArray, type Tx } from '@pulsewire/database';
import { packKeys } from '../receipt-keys.ts';
import type { RecordBatch } from '../types.ts';

/**
 * Removes single samples that the provider took back; gives how many there were. One that was received later stays. A receipt
 * tells of the removal, for answers from before it that are written again.
 */
export async function removeSamples(
  { sql }: Tx,
  { owner, version }: Pick<RecordBatch, 'owner' | 'version'>,
  removals: readonly SampleRemoval[],
): Promise<number> {
  let count = 0;
  for (const { resource, subKind = '', source, ts } of removals) {
    if (ts.length === 0) continue;
    const [series] = await sql<{ id: number; series: number }[]>`
      SELECT o.user_source_id AS id, s.series FROM sources o, series s
      WHERE o.user_id = ${owner.userId} AND o.team_id = ${owner.teamId} AND o.provider = ${source.provider} AND o.source_type = ${source.type}
        AND s.resource = ${resource} AND s.sub_kind = ${subKind}`;
    if (!series) continue;
    // In turns with the writers of the series.
    await sql`SELECT pg_advisory_xact_lock(${series.id}::int, ${series.series}::int)`;
    const removed = await sql`
      DELETE FROM samples WHERE user_source_id = ${series.id} AND series = ${series.series} AND version <= ${version.toString()}::bigint
        AND ts IN (SELECT to_timestamp(ms / 1000) FROM unnest(${plainArray(ts)}::float8[]) AS t(ms))`;
    count += removed.count;
    const times = [...new Set(ts)].sort((a, b) => a - b);
    await sql`
      INSERT INTO sample_receipts (user_source_id, series, version, day, from_ts, to_ts, keys)
      VALUES (${series.id}, ${series.series}, ${version.toString()}, (now() AT TIME ZONE 'UTC')::date,
        to_timestamp(${times[0] ?? 0}::float8 / 1000), to_timestamp(${times.at(-1) ?? 0}::float8 / 1000), ${packKeys(times)})`;
  }
  return count;
}
