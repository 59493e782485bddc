import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { normaliseRecords } from './normalise.ts';
import { removeSamples } from './samples/remove-samples.ts';
import { writeSamples } from './samples/write-samples.ts';
import { writeStreams } from './streams/write-streams.ts';
import { removeSummaries } from './summaries/remove-summaries.ts';
import { writeSummaries } from './summaries/write-summaries.ts';
import type { RecordBatch, WriteOutcome } from './types.ts';
import { shareUser } from './user-lock.ts';

/**
 * Writes one answer's records with last-write-wins and emits an event for what really changed, and nothing else.
 * The value received latest wins, in whatever order batches are written, repeated or interleaved (plan 4.1):
 * equal data writes no row and emits nothing. Call it inside `withEvents`.
 */
export async function writeRecords(tx: Tx, emit: Emit, batch: RecordBatch): Promise<WriteOutcome> {
  let events = 0;
  const count: Emit = (event) => {
    events += 1;
    emit(event);
  };
  const { records, samplesRefused } = normaliseRecords(batch.records);
  const shared = shareUser(tx, batch.owner.userId);
  // Summaries first, always: their lock and the samples' locks are then taken in one order by every writer.
  const summaries = await writeSummaries(tx, count, batch, ofKind(records, 'summary'));
  const summariesRemoved = await removeSummaries(tx, batch, ofKind(records, 'summary_removal'));
  const streamsWritten = await writeStreams(tx, count, batch, ofKind(records, 'stream'));
  const samples = await writeSamples(tx, count, batch, ofKind(records, 'samples'));
  const samplesRemoved = await removeSamples(tx, batch, ofKind(records, 'sample_removal'));
  await shared;
  return {
    samplesRefused,
    samplesReceived: samples.received,
    samplesCreated: samples.created,
    samplesUpdated: samples.updated,
    summariesReceived: summaries.received,
    summariesCreated: summaries.created,
    summariesUpdated: summaries.updated,
    streamsWritten,
    removed: summariesRemoved + samplesRemoved,
    events,
  };
}

function ofKind<Kind extends CanonicalRecord['kind']>(records: readonly CanonicalRecord[], kind: Kind) {
  return records.filter((record): record is Extract<CanonicalRecord, { kind: Kind }> => record.kind === kind);
}

/** How many records came in, and what became of them. */
export interface Counts {
  readonly received: number;
  readonly created: number;
  readonly updated: number;
}
