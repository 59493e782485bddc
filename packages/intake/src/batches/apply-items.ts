import { connectionForIntake, saveAccount, type PullConnection } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { Emit, EventOrigin } from '@pulsewire/eventlog';
import { withinBounds } from '@pulsewire/ingest';
import { findIdentity, mapPhoneBatch, type PhoneBatch, type PhoneUser } from '@pulsewire/providers';
import { claimUser, drawVersion, writeRecords, writeRecordsApart, type RecordBatch } from '@pulsewire/store';
import { removeDeleted } from '../items/remove-deleted.ts';
import { saveSampleIds } from '../items/sample-ids.ts';
import { saveItems } from '../items/save-items.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { pairPressures } from '../pressures/pair-pressures.ts';
import { mergeCycles } from '../cycles/merge-cycles.ts';
import { mergeSleep } from '../sleep/merge-sleep.ts';
import { buildSummaries } from '../summaries/build-summaries.ts';
import { findTouched } from '../summaries/find-touched.ts';
import { deleteReadings, saveReadings } from '../summaries/readings.ts';

/** The outcome of a batch. */
export interface AppliedBatch {
  readonly errorCode: string | null;
  readonly leftOut: Readonly<Record<string, number>>;
}

/** The owner of the items, the version under which they are stored, and when they arrived. */
export interface VersionedOwner extends PhoneOwner {
  readonly version: bigint;
  readonly receivedAt: Date;
}

const dayMs = 86_400_000;

function phoneUserOf(connection: PullConnection, { userId, provider, receivedAt }: VersionedOwner): PhoneUser {
  const reported = connection.account['time_zone'];
  const own = typeof reported === 'string' ? reported : null;
  const timeZone = own ?? connection.fallbackTimeZone;
  const { fallbackBirthDate: birthDate } = connection;
  return { userId, provider, timeZone, isZoneOfUser: own === null, birthDate, receivedAtMs: receivedAt.getTime() };
}

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

async function write(
  tx: Tx,
  emit: Emit,
  owner: VersionedOwner,
  connection: PullConnection,
  records: readonly CanonicalRecord[],
  isApart: boolean,
): Promise<{ readonly refused: number; readonly samplesUpdated: number }> {
  const { teamId, userId, provider, version } = owner;
  let [refused, samplesUpdated] = [0, 0];
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
    };
    const written = isApart ? await writeRecordsApart(tx, emit, batch) : { outcome: await writeRecords(tx, emit, batch), refused: [] };
    refused += written.refused.length;
    samplesUpdated += written.outcome.samplesUpdated;
  }
  return { refused, samplesUpdated };
}

/**
 * Maps items and stores them, with their events, in the caller's transaction. With `isApart`, values that Postgres rejects are left out.
 * For a connection that was removed or paused meanwhile, nothing is stored.
 */
export async function applyItems(tx: Tx, emit: Emit, owner: VersionedOwner, batch: PhoneBatch, isApart: boolean): Promise<AppliedBatch> {
  const { teamId, userId, provider } = owner;
  await claimUser(tx, userId);
  const connection = await connectionForIntake(tx, teamId, userId, provider);
  if (connection?.status !== 'connected') return { errorCode: 'source_not_active', leftOut: {} };
  const mapped = mapPhoneBatch(batch, phoneUserOf(connection, owner));
  const removed = await removeDeleted(tx, owner, mapped.deleted, mapped.deletedSamples);
  const pressures = await pairPressures(tx, owner, mapped.pressureHalves, owner.receivedAt);
  const nights = await mergeSleep(tx, owner, mapped.segments, removed.segments);
  const cycles = await mergeCycles(tx, owner, mapped.cycleItems, mapped.deleted);
  const records = [...mapped.records, ...pressures, ...nights, ...cycles, ...removed.records];
  const { refused, samplesUpdated } = await write(tx, emit, owner, connection, records, isApart);
  await saveItems(tx, owner, mapped.refs);
  await saveSampleIds(tx, owner, owner.version, mapped.frequentItems);
  const removedReadings = await deleteReadings(tx, owner, mapped.deleted);
  const { isReplaced, outdated } = await saveReadings(tx, owner, mapped.readings);
  const touched = findTouched(records, [...mapped.readings, ...removedReadings, ...outdated], isReplaced || samplesUpdated > 0);
  const built = await buildSummaries(tx, owner, touched, mapped.dayZones);
  // Built from all that is stored, so they replace what a batch with a higher version that was applied before has made of the same day.
  if (built.length > 0) await write(tx, emit, { ...owner, version: await drawVersion(tx) }, connection, built, isApart);
  if (mapped.timeZone !== null && mapped.timeZone !== connection.account['time_zone'])
    await saveAccount(tx, connection.connectionId, { ...connection.account, time_zone: mapped.timeZone });
  return { errorCode: null, leftOut: refused > 0 ? { ...mapped.leftOut, refused } : mapped.leftOut };
}
