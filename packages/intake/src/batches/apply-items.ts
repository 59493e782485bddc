import { connectionForIntake, saveAccount, type PullConnection } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { mapPhoneBatch, type PhoneBatch, type PhoneDayZone, type PhoneReading, type PhoneUser } from '@pulsewire/providers';
import { lockRecords, drawVersion } from '@pulsewire/store';
import { mergeAmounts } from '../amounts/merge-amounts.ts';
import { findMoved } from '../items/moved-items.ts';
import { findMovedSamples } from '../items/moved-samples.ts';
import { removeDeleted } from '../items/remove-deleted.ts';
import { saveSampleIds } from '../items/sample-ids.ts';
import { saveItems } from '../items/save-items.ts';
import { pairPressures } from '../pressures/pair-pressures.ts';
import { mergeCycles } from '../cycles/merge-cycles.ts';
import { mergeSleep } from '../sleep/merge-sleep.ts';
import { bindWorkouts } from '../workouts/bind-workouts.ts';
import { deleteFormerReadings, formerSamples } from '../writers/former-items.ts';
import { readWriters } from '../writers/known-writers.ts';
import { unifyWriters } from '../writers/unify-writers.ts';
import { buildSummaries } from '../summaries/build-summaries.ts';
import { findTouched } from '../summaries/find-touched.ts';
import { deleteReadings, saveReadings } from '../summaries/readings.ts';
import type { VersionedOwner } from '../model/phone-owner.ts';
import { writePhoneRecords } from './write-phone-records.ts';

/** The outcome of a batch. */
export interface AppliedBatch {
  readonly errorCode: string | null;
  readonly leftOut: Readonly<Record<string, number>>;
}

function phoneUserOf(connection: PullConnection, { userId, provider, receivedAt }: VersionedOwner): PhoneUser {
  const reported = connection.account['time_zone'];
  const own = typeof reported === 'string' ? reported : null;
  const timeZone = own ?? connection.fallbackTimeZone;
  const { fallbackBirthDate: birthDate } = connection;
  return { userId, provider, timeZone, isZoneOfUser: own === null, birthDate, receivedAtMs: receivedAt.getTime() };
}

/** What summaries have to be built again for. */
export interface Changes {
  readonly connection: PullConnection;
  readonly records: readonly CanonicalRecord[];
  readonly readings: readonly PhoneReading[];
  /** A sample or reading may have left its day. */
  readonly isMoved: boolean;
  readonly dayZones: readonly PhoneDayZone[];
}

export interface StoredItems extends AppliedBatch {
  /** Null: nothing was stored. */
  readonly changes: Changes | null;
}

/**
 * Maps items and stores them, with their events, in the caller's transaction. With `isolatesRefused`, values that Postgres rejects are left out.
 * For a connection that was removed or paused meanwhile, nothing is stored.
 */
export async function storeItems(
  tx: Tx,
  emit: Emit,
  owner: VersionedOwner,
  batch: PhoneBatch,
  isolatesRefused: boolean,
): Promise<StoredItems> {
  const { teamId, userId, provider } = owner;
  await lockRecords(tx, userId);
  const connection = await connectionForIntake(tx, teamId, userId, provider);
  if (connection?.status !== 'connected') return { errorCode: 'source_not_active', leftOut: {}, changes: null };
  const writers = await readWriters(tx, owner);
  const user = { ...phoneUserOf(connection, owner), writers };
  const mapped = await unifyWriters(tx, owner, writers, mapPhoneBatch(batch, user));
  const removed = await removeDeleted(tx, owner, mapped.deleted, mapped.deletedSamples);
  const moved = await findMoved(tx, owner, mapped.refs, mapped.records);
  const movedSamples = await findMovedSamples(tx, owner, mapped.frequentItems);
  const pressures = await pairPressures(tx, owner, mapped.pressureHalves, owner.receivedAt);
  const nights = await mergeSleep(tx, owner, mapped.segments, [...removed.segments, ...mapped.movedSegments]);
  const cycles = await mergeCycles(tx, owner, mapped.cycleItems, mapped.deleted);
  const amounts = await mergeAmounts(tx, owner, moved.records, [...removed.samples, ...movedSamples.removals]);
  const items = [...amounts.records, ...pressures, ...nights, ...cycles, ...removed.records, ...moved.removals];
  const isAppleExport = batch.isExport === true && provider === 'apple_health_kit';
  const records = isAppleExport ? [...items, ...(await formerSamples(tx, owner, [...items, ...amounts.merged]))] : items;
  // Workouts of Health Connect get their figures from samples, which are stored first.
  const isBound = provider === 'health_connect';
  const isOfWorkout = (record: CanonicalRecord) =>
    record.kind === 'stream' || (record.kind === 'summary' && record.resource === 'workouts');
  const first = isBound ? records.filter((record) => !isOfWorkout(record)) : records;
  const written = [await writePhoneRecords(tx, emit, owner, connection, first, isolatesRefused)];
  if (amounts.merged.length > 0) {
    // They contain what batches of higher versions may have stored before.
    const latest = { ...owner, version: await drawVersion(tx) };
    written.push(await writePhoneRecords(tx, emit, latest, connection, amounts.merged, isolatesRefused));
  }
  const { workoutParts: parts, deleted } = mapped;
  const bound = isBound
    ? await bindWorkouts(tx, owner, user, { records: [...records, ...amounts.merged], parts, deleted })
    : { records: [], waiting: {} };
  if (bound.records.length > 0) written.push(await writePhoneRecords(tx, emit, owner, connection, bound.records, isolatesRefused));
  const refused = written.reduce((sum, one) => sum + one.refused, 0);
  await saveItems(tx, owner, mapped.refs);
  await saveSampleIds(tx, owner, movedSamples.unlisted);
  const removedReadings = await deleteReadings(tx, owner, mapped.deleted);
  const formerReadings = isAppleExport ? await deleteFormerReadings(tx, owner, mapped.readings) : [];
  const { isReplaced, outdated } = await saveReadings(tx, owner, mapped.readings);
  if (mapped.timeZone !== null && mapped.timeZone !== connection.account['time_zone'])
    await saveAccount(tx, connection.connectionId, { ...connection.account, time_zone: mapped.timeZone });
  return {
    errorCode: null,
    leftOut: { ...mapped.leftOut, ...bound.waiting, ...(refused > 0 && { refused }) },
    changes: {
      connection,
      records: [...records, ...amounts.merged],
      readings: [...mapped.readings, ...removedReadings, ...formerReadings, ...outdated],
      isMoved: isReplaced || written.some(({ samplesUpdated }) => samplesUpdated > 0),
      dayZones: mapped.dayZones,
    },
  };
}

/** Builds the summaries of what batches of one user have changed, in the transaction that stored them. */
export async function buildChanged(
  tx: Tx,
  emit: Emit,
  owner: Omit<VersionedOwner, 'version'>,
  stored: readonly Changes[],
  isolatesRefused: boolean,
): Promise<void> {
  const last = stored.at(-1);
  if (!last) return;
  const records = stored.flatMap((changes) => changes.records);
  const readings = stored.flatMap((changes) => changes.readings);
  const isMoved = stored.some((changes) => changes.isMoved);
  const zones = stored.flatMap((changes) => changes.dayZones);
  const built = await buildSummaries(tx, owner, findTouched(records, readings, isMoved), zones);
  // Built from all that is stored, so they replace what a batch with a higher version that was applied before has made of the same day.
  if (built.length > 0)
    await writePhoneRecords(tx, emit, { ...owner, version: await drawVersion(tx) }, last.connection, built, isolatesRefused);
}

/** Stores items and builds the summaries that they change. */
export async function applyItems(
  tx: Tx,
  emit: Emit,
  owner: VersionedOwner,
  batch: PhoneBatch,
  isolatesRefused: boolean,
): Promise<AppliedBatch> {
  const { changes, ...applied } = await storeItems(tx, emit, owner, batch, isolatesRefused);
  if (changes) await buildChanged(tx, emit, owner, [changes], isolatesRefused);
  return applied;
}
