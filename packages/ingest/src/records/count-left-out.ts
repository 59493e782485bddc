import type { CanonicalRecord } from '@pulsewire/contract';
import type { LeftOutBefore } from '@pulsewire/providers';
import type { IngestContext } from '../context/context.ts';

/** Why records that were mapped are not stored. */
export type LeftOutReason =
  /** Days that another connection of the same person delivers. */
  | 'handed_over'
  /** Outside the user's ingestion bounds, or on days that a handed over connection leaves to another. */
  | 'outside_bounds'
  /** Without a finite value or an instant. */
  | 'not_storable'
  /** A partial version of a pushed item of which a fuller or final one is stored. */
  | 'superseded'
  /** Received before what is stored, or before it was removed. */
  | 'older_version'
  /** By the mapper itself. */
  | LeftOutBefore;

/** Summaries, streams and single samples; a removal is none. */
export function sizeOf(records: readonly CanonicalRecord[]): number {
  return records.reduce((sum, record) => {
    if (record.kind === 'samples') return sum + record.samples.length;
    return record.kind === 'summary' || record.kind === 'stream' ? sum + 1 : sum;
  }, 0);
}

/** Counts records that vanish between the mapper and the store, by reason: none may do so unseen. */
export function countLeftOut(context: Pick<IngestContext, 'metrics'>, provider: string, reason: LeftOutReason, count: number): void {
  if (count > 0) context.metrics.count('ingest_records_left_out_total', { provider, reason }, count);
}

/** Counts what the mappers of a window have left out since the last call. */
export function countByReason(context: Pick<IngestContext, 'metrics'>, provider: string, leftOut: Map<LeftOutBefore, number>): void {
  for (const [reason, count] of leftOut) countLeftOut(context, provider, reason, count);
  leftOut.clear();
}
