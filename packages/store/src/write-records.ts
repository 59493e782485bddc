import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { writeDevices } from './devices/write-devices.ts';
import { normaliseRecords } from './normalise.ts';
import { writeRawEntries } from './raw/write-raw-entries.ts';
import { writeSamples } from './samples/write-samples.ts';
import { writeStreams } from './streams/write-streams.ts';
import { removeSummaries } from './summaries/remove-summaries.ts';
import { writeSummaries } from './summaries/write-summaries.ts';
import type { Counts, RecordBatch, WriteOutcome } from './model/types.ts';
import { lockRecords } from './model/user-lock.ts';

const nothingWritten: Counts = { received: 0, created: 0, updated: 0, older: 0 };
const noSamplesWritten = { ...nothingWritten, removed: 0 };
const noStreamsWritten = { written: 0, older: 0 };

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
  const locked = batch.isLocked ? Promise.resolve() : lockRecords(tx, batch.owner.userId);
  locked.catch(() => {});
  const { owner, traceId, rawCipher } = batch;
  // Most batches have records of one kind: the writers of the others are not called.
  if (records.devices.length > 0)
    await writeDevices(tx, count, { owner, provider: records.provider, traceId, isList: false, rawCipher }, records.devices);
  const hasSummaries = records.summaries.length > 0;
  const summaries = hasSummaries ? await writeSummaries(tx, count, batch, records.summaries) : nothingWritten;
  if (hasSummaries && rawCipher) await writeRawEntries(tx, batch, rawCipher, records.summaries);
  const streams = records.streams.length > 0 ? await writeStreams(tx, count, batch, records.streams) : noStreamsWritten;
  const summariesRemoved = records.summaryRemovals.length > 0 ? await removeSummaries(tx, count, batch, records.summaryRemovals) : 0;
  const hasSamples = records.samples.length + records.sampleRemovals.length > 0;
  const samples = hasSamples ? await writeSamples(tx, count, batch, records.samples, records.sampleRemovals) : noSamplesWritten;
  await locked;
  return {
    samplesRefused: records.samplesRefused,
    older: summaries.older + streams.older + samples.older,
    samplesReceived: samples.received,
    samplesCreated: samples.created,
    samplesUpdated: samples.updated,
    summariesReceived: summaries.received,
    summariesCreated: summaries.created,
    summariesUpdated: summaries.updated,
    streamsWritten: streams.written,
    removed: summariesRemoved + samples.removed,
    events,
  };
}
