import { byteaArray, plainArray, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { emitSamplesRemoved } from '../model/emit-removed.ts';
import { packKeys } from '../model/receipt-keys.ts';
import type { SeriesNumbers } from './identify.ts';
import { removeFromPieces } from './rewrite-pieces.ts';
import { laterReceipts } from './later-receipts.ts';
import type { SeriesRemoval } from '../model/series-batch.ts';
import type { RecordBatch } from '../model/types.ts';

export type IdentifiedRemoval = SeriesRemoval & SeriesNumbers;

/**
 * Removes single samples that the provider deleted; returns how many existed. Samples received at this version or later stay. The receipts
 * prevent older responses from restoring removed ones. The number of statements does not depend on the number of series.
 */
export async function removeSamples(tx: Tx, emit: Emit, batch: RecordBatch, removals: readonly IdentifiedRemoval[]): Promise<number> {
  const { sql } = tx;
  const { version } = batch;
  const ranges = removals.map(({ times, ...numbers }) => ({ ...numbers, fromMs: times[0] ?? 0, toMs: times.at(-1) ?? 0 }));
  const later = await laterReceipts(tx, ranges, version);
  const gone = removals.flatMap(({ userSourceId, series, times }, index) =>
    times.filter((ts) => !later[index]?.isWritten(ts)).map((ts) => ({ userSourceId, series, ts })),
  );
  const removed = await sql<{ id: number; series: number; ms: number }[]>`
    DELETE FROM samples s
    USING unnest(
      ${plainArray(gone.map((key) => key.userSourceId))}::int[], ${plainArray(gone.map((key) => key.series))}::smallint[],
      ${plainArray(gone.map((key) => key.ts))}::float8[]
    ) AS g(id, series, ms)
    WHERE s.user_source_id = g.id AND s.series = g.series AND s.ts = to_timestamp(g.ms / 1000) AND s.version < ${version.toString()}::bigint
    RETURNING s.user_source_id AS id, s.series, g.ms`;
  const left = new Set(removed.map(({ id, series, ms }) => `${id}/${series}/${ms}`));
  const packed = await removeFromPieces(
    tx,
    gone.filter(({ userSourceId, series, ts }) => !left.has(`${userSourceId}/${series}/${ts}`)),
    version,
  );
  await sql`
    INSERT INTO sample_receipts (user_source_id, series, version, day, from_ts, to_ts, keys, is_removal)
    SELECT r.id, r.series, ${version.toString()}::bigint, (now() AT TIME ZONE 'UTC')::date, to_timestamp(r.from_ms / 1000), to_timestamp(r.to_ms / 1000), r.keys, true
    FROM unnest(
      ${plainArray(ranges.map((range) => range.userSourceId))}::int[], ${plainArray(ranges.map((range) => range.series))}::smallint[],
      ${plainArray(ranges.map((range) => range.fromMs))}::float8[], ${plainArray(ranges.map((range) => range.toMs))}::float8[],
      ${byteaArray(removals.map(({ times }) => packKeys(times)))}::bytea[]
    ) AS r(id, series, from_ms, to_ms, keys)`;
  const all = [...removed, ...packed.map(({ userSourceId, series, ts }) => ({ id: userSourceId, series, ms: ts }))];
  const timesOf = Map.groupBy(all, ({ id, series }) => `${id}/${series}`);
  for (const removal of removals) {
    const times = timesOf.get(`${removal.userSourceId}/${removal.series}`) ?? [];
    emitSamplesRemoved(
      emit,
      batch,
      removal,
      times.map(({ ms }) => ms).sort((a, b) => a - b),
    );
  }
  return all.length;
}
