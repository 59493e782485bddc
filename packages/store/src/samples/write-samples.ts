import type { SampleGroup } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { RecordBatch } from '../types.ts';
import type { Counts } from '../write-records.ts';
import { toRows, type Row } from './columns.ts';
import { copyRows } from './copy-rows.ts';
import { cutReceipts } from './cut-receipts.ts';
import { emitChanges } from './emit-changes.ts';
import { contextNumbers, identify } from './identify.ts';
import { leaveReceipts } from './leave-receipts.ts';
import { lockAndProbe } from './lock.ts';
import { mergeRows } from './merge-rows.ts';
import { gatherSeries } from './series-batch.ts';

/** Writes samples: plainly where their range is empty, by comparison where it is not. */
export async function writeSamples(tx: Tx, emit: Emit, batch: RecordBatch, groups: readonly SampleGroup[]): Promise<Counts> {
  const gathered = gatherSeries(groups);
  if (gathered.length === 0) return { received: 0, created: 0, updated: 0 };
  const batches = await identify(tx, batch.owner, gathered);
  const contexts = await contextNumbers(tx, batches);
  const isRepeat = batch.isRepeat ?? false;
  const probes = (await lockAndProbe(tx, batches, batch.version)).map((probe) => ({ ...probe, is_empty: probe.is_empty && !isRepeat }));

  const fresh = toRows(
    batches.filter((_, index) => probes[index]?.is_empty),
    contexts,
  );
  const touched = batches.filter((_, index) => !probes[index]?.is_empty);
  const mixed = toRows(touched, contexts);
  if (fresh.length > 0) await copyRows(tx, fresh, batch.version);
  const merged = mixed.length > 0 ? await mergeRows(tx, mixed, batch.version, { isRepeat }) : { created: [], updated: [] };
  const created = [...fresh, ...merged.created];
  for (const late of batches.filter((_, index) => probes[index]?.is_late)) await cutReceipts(tx, late, created, batch.version);
  const written = countBySeries([...merged.created, ...merged.updated]);
  await leaveReceipts(
    tx,
    touched.filter((series) => (written.get(series) ?? 0) < series.entries.length),
    batch.version,
    { isRepeat },
  );

  emitChanges(emit, batch, created, 'created');
  emitChanges(emit, batch, merged.updated, 'updated');
  return {
    received: fresh.length + mixed.length,
    created: created.length,
    updated: merged.updated.length,
  };
}

function countBySeries(rows: readonly Row[]): ReadonlyMap<Row['batch'], number> {
  const counts = new Map<Row['batch'], number>();
  for (const { batch } of rows) counts.set(batch, (counts.get(batch) ?? 0) + 1);
  return counts;
}
