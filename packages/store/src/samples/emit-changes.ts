import { uuidv7 } from '@pulsewire/kernel';
import { dailyEventType, packSamples, sampleJsonBytesMax, timeseriesResource, type Sample, type SourceRef } from '@pulsewire/contract';
import type { Emit } from '@pulsewire/eventlog';
import type { RecordBatch } from '../model/types.ts';
import { contextKey, type IdentifiedBatch } from './identify.ts';
import type { Row } from './columns.ts';

/** Maximum number of samples, and of bytes of JSON, in an event. */
const samplesMax = 1000;
const jsonBytesMax = 256 * 1024;
const envelopeBytes = 1024;

/** Emits the changed samples: each event has one source context and one kind of change, within the contract's size limit. */
export function emitChanges(emit: Emit, batch: RecordBatch, rows: readonly Row[], change: 'created' | 'updated'): void {
  for (const group of groupByContext(rows)) {
    const first = group[0] as Row;
    for (const samples of cut(group, first.batch)) emitOne(emit, batch, first.batch, first.entry.source, samples, change);
  }
}

function emitOne(
  emit: Emit,
  batch: RecordBatch,
  series: IdentifiedBatch,
  source: SourceRef,
  samples: readonly Sample[],
  change: 'created' | 'updated',
): void {
  const { owner } = batch;
  const packed = packSamples(
    {
      userId: owner.userId,
      sourceId: batch.sourceId,
      source,
      resource: series.resource,
      subKind: series.subKind === '' ? undefined : series.subKind,
    },
    samples,
  );
  emit({
    eventId: uuidv7(),
    eventType: dailyEventType(series.resource, change),
    teamId: owner.teamId,
    userId: owner.userId,
    clientUserId: owner.clientUserId,
    origin: batch.origin,
    traceId: batch.traceId,
    body: { kind: 'samples', packed },
  });
}

function groupByContext(rows: readonly Row[]): Iterable<readonly Row[]> {
  const groups = new Map<string, Row[]>();
  let lastBatch: IdentifiedBatch | undefined;
  let lastSource: SourceRef | undefined;
  let group: Row[] = [];
  for (const row of rows) {
    // Samples of one response usually share their source object, so the key is rarely built.
    if (row.batch !== lastBatch || row.entry.source !== lastSource) {
      lastBatch = row.batch;
      lastSource = row.entry.source;
      const key = `${row.batch.userSourceId}\n${row.batch.series}\n${contextKey(row.entry.source)}`;
      group = groups.get(key) ?? [];
      groups.set(key, group);
    }
    group.push(row);
  }
  return groups.values();
}

function* cut(rows: readonly Row[], series: IdentifiedBatch): Iterable<readonly Sample[]> {
  const resource = timeseriesResource(series.resource);
  let samples: Sample[] = [];
  let bytes = envelopeBytes;
  for (const { entry } of rows) {
    const size = sampleJsonBytesMax(entry.sample, resource, series.subKind);
    if (samples.length === samplesMax || (samples.length > 0 && bytes + size > jsonBytesMax)) {
      yield samples;
      samples = [];
      bytes = envelopeBytes;
    }
    samples.push(entry.sample);
    bytes += size;
  }
  if (samples.length > 0) yield samples;
}
