import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { devicesOf, writeDevices } from './devices/write-devices.ts';
import { normaliseRecords } from './normalise.ts';
import { writeRawEntries } from './raw/write-raw-entries.ts';
import { writeSamples } from './samples/write-samples.ts';
import { writeStreams } from './streams/write-streams.ts';
import { removeSummaries } from './summaries/remove-summaries.ts';
import { writeSummaries } from './summaries/write-summaries.ts';
import type { RecordBatch, WriteOutcome } from './model/types.ts';
import { claimUser } from './model/user-lock.ts';

/**
 * Writes the records and removals of one response and emits events only for real changes. Of all writes and removals of a record the one
 * received latest wins, in whatever order batches are written, repeated or interleaved; at equal versions a write wins over a removal.
 * Equal data writes no row and emits nothing. Call it inside `withEvents`.
 */
export async function writeRecords(tx: Tx, emit: Emit, batch: RecordBatch): Promise<WriteOutcome> {
  let events = 0;
  const count: Emit = (event) => {
    events += 1;
    emit(event);
  };
  const records = normaliseRecords(batch.records);
  // Not awaited: statements of one transaction run in order, so all later ones run under the lock.
  const claimed = claimUser(tx, batch.owner.userId);
  claimed.catch(() => {});
  const provider = batch.records.find((record) => 'source' in record)?.source.provider ?? '';
  const { owner, traceId, rawCipher } = batch;
  await writeDevices(tx, count, { owner, provider, traceId, isList: false, rawCipher }, devicesOf(batch.records));
  const summaries = await writeSummaries(tx, count, batch, records.summaries);
  await writeRawEntries(tx, batch, records.summaries);
  const streamsWritten = await writeStreams(tx, count, batch, records.streams);
  const summariesRemoved = await removeSummaries(tx, count, batch, records.summaryRemovals);
  const samples = await writeSamples(tx, count, batch, records.samples, records.sampleRemovals);
  await claimed;
  return {
    samplesRefused: records.samplesRefused,
    samplesReceived: samples.received,
    samplesCreated: samples.created,
    samplesUpdated: samples.updated,
    summariesReceived: summaries.received,
    summariesCreated: summaries.created,
    summariesUpdated: summaries.updated,
    streamsWritten,
    removed: summariesRemoved + samples.removed,
    events,
  };
}
