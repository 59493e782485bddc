import type { SampleGroup, SampleRemoval } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { Counts, RecordBatch } from '../model/types.ts';
import { toRows, type Row } from './columns.ts';
import { copyRows } from './copy-rows.ts';
import { countCreated } from './count-created.ts';
import { splitReceipts } from './split-receipts.ts';
import { emitChanges } from './emit-changes.ts';
import { contextNumbers, identify, type IdentifiedBatch } from './identify.ts';
import { writeReceipts } from './write-receipts.ts';
import { mergeRows, type Merged } from './last-write-wins.ts';
import { probe } from './probe.ts';
import { removeSamples } from './remove-samples.ts';
import { gatherRemovals, gatherSeries } from '../model/series-batch.ts';

const nothing: Merged = { created: [], updated: [], withheld: new Set(), older: 0 };

/** Writes samples: by COPY into empty ranges, by comparison elsewhere. Then removes those that the provider deleted. */
export async function writeSamples(
  tx: Tx,
  emit: Emit,
  batch: RecordBatch,
  groups: readonly SampleGroup[],
  removals: readonly SampleRemoval[],
): Promise<Counts & { readonly removed: number }> {
  const gathered = [...gatherSeries(groups), ...(removals.length > 0 ? gatherRemovals(removals) : [])];
  if (gathered.length === 0) return { received: 0, created: 0, updated: 0, older: 0, removed: 0 };
  const identified = await identify(tx, batch.owner, gathered);
  const counts = await write(
    tx,
    emit,
    batch,
    identified.filter((series) => 'entries' in series),
  );
  const gone = identified.filter((series) => 'times' in series);
  return { ...counts, removed: gone.length > 0 ? await removeSamples(tx, emit, batch, gone) : 0 };
}

async function write(tx: Tx, emit: Emit, batch: RecordBatch, batches: readonly IdentifiedBatch[]): Promise<Counts> {
  if (batches.length === 0) return { received: 0, created: 0, updated: 0, older: 0 };
  const { version, offsetsFrom } = batch;
  const contexts = await contextNumbers(tx, batches);
  const probes = await probe(tx, batches, version);
  const isFree = (index: number) => probes[index]?.is_empty === true && !probes[index].has_removals;

  const fresh = toRows(
    batches.filter((_, index) => isFree(index)),
    contexts,
    offsetsFrom,
  );
  const touched = batches.filter((_, index) => !isFree(index));
  const mixed = toRows(touched, contexts, offsetsFrom);
  if (fresh.length > 0) await copyRows(tx, fresh, version);
  const form = probes.some((found) => found.has_pieces) ? 'both' : 'rows';
  const hasRemovals = probes.some((found) => found.has_removals);
  const merged = mixed.length > 0 ? await mergeRows(tx, mixed, version, { hasRemovals, form }) : nothing;
  const created = [...fresh, ...merged.created];
  for (const late of batches.filter((_, index) => probes[index]?.is_late)) await splitReceipts(tx, late, created, version);
  const written = countBySeries([...merged.created, ...merged.updated]);
  const confirmed = touched.filter((series) => (written.get(series) ?? 0) < series.entries.length);
  await writeReceipts(tx, confirmed, version, { withheld: merged.withheld, form });

  await countCreated(tx, countBySeries(created));
  emitChanges(emit, batch, created, 'created');
  emitChanges(emit, batch, merged.updated, 'updated');
  return {
    received: fresh.length + mixed.length,
    created: created.length,
    updated: merged.updated.length,
    older: merged.older,
  };
}

function countBySeries(rows: readonly Row[]): ReadonlyMap<Row['batch'], number> {
  const counts = new Map<Row['batch'], number>();
  for (const { batch } of rows) counts.set(batch, (counts.get(batch) ?? 0) + 1);
  return counts;
}
