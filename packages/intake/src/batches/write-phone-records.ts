import { dayMs } from '@pulsewire/kernel';
import type { PullConnection } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { Emit, EventOrigin } from '@pulsewire/eventlog';
import { withinBounds } from '@pulsewire/ingest';
import { findIdentity } from '@pulsewire/providers';
import { writeRecords, writeRecordsBisecting, type RecordBatch } from '@pulsewire/store';
import type { VersionedOwner } from '../model/phone-owner.ts';

/** Records from before the link count as history, as with every provider. */
function splitByLink(records: readonly CanonicalRecord[], linkedMs: number): ReadonlyMap<EventOrigin, CanonicalRecord[]> {
  const byOrigin: Record<EventOrigin, CanonicalRecord[]> = { historical: [], live: [] };
  const sinceMs = linkedMs - dayMs;
  for (const record of records) {
    if (record.kind === 'samples') {
      const [old, recent] = [record.samples.filter(({ ts }) => ts < sinceMs), record.samples.filter(({ ts }) => ts >= sinceMs)];
      if (old.length > 0) byOrigin.historical.push({ ...record, samples: old });
      if (recent.length > 0) byOrigin.live.push({ ...record, samples: recent });
    } else if (record.kind === 'summary' && record.calendarDate !== null && record.at < sinceMs) byOrigin.historical.push(record);
    else byOrigin.live.push(record);
  }
  return new Map(Object.entries(byOrigin) as [EventOrigin, CanonicalRecord[]][]);
}

export interface WrittenRecords {
  readonly refused: number;
  readonly samplesUpdated: number;
  readonly summariesCreated: number;
  readonly summariesUpdated: number;
}

/** Stores records of a phone within the user's bounds, with their events; the caller holds the user's lock. With `isolatesRefused`, values that Postgres rejects are left out. */
export async function writePhoneRecords(
  tx: Tx,
  emit: Emit,
  owner: VersionedOwner,
  connection: PullConnection,
  records: readonly CanonicalRecord[],
  isolatesRefused: boolean,
): Promise<WrittenRecords> {
  const { teamId, userId, provider, version } = owner;
  let [refused, samplesUpdated, summariesCreated, summariesUpdated] = [0, 0, 0, 0];
  for (const [origin, own] of splitByLink(withinBounds(records, connection), connection.createdAt.getTime())) {
    if (own.length === 0) continue;
    const batch: RecordBatch = {
      owner: { teamId, userId, clientUserId: connection.clientUserId },
      version,
      origin,
      records: own,
      sourceId: findIdentity(provider)?.sourceId ?? 0,
      traceId: null,
      offsetsFrom: 'value',
      isLocked: true,
    };
    const written = isolatesRefused
      ? await writeRecordsBisecting(tx, emit, batch)
      : { outcome: await writeRecords(tx, emit, batch), refused: [] };
    refused += written.refused.length;
    samplesUpdated += written.outcome.samplesUpdated;
    summariesCreated += written.outcome.summariesCreated;
    summariesUpdated += written.outcome.summariesUpdated;
  }
  return { refused, samplesUpdated, summariesCreated, summariesUpdated };
}
