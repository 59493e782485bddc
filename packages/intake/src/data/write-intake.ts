import { AppError } from '@pulsewire/kernel';
import { connectionForIntake, isPhoneStore } from '@pulsewire/connections';
import type { CanonicalRecord, Intake } from '@pulsewire/contract';
import { isDataError, type Database } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { admitOtherWrite, withinBounds } from '@pulsewire/ingest';
import { findIdentity } from '@pulsewire/providers';
import { lockRecords, drawVersion, writeRecords, type WriteOutcome } from '@pulsewire/store';
import { markSent } from '../model/sent-summaries.ts';
import { countItems, findLeftOut, type LeftOutItem } from './find-left-out.ts';
import { intakeRecords } from './intake-records.ts';

export interface IntakeRequest {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly intake: Intake;
  readonly traceId: string | null;
}

/** What a body changed. `samplesReceived` and `summariesReceived` count what it contained. */
export interface IntakeOutcome extends WriteOutcome {
  readonly leftOut: readonly LeftOutItem[];
}

const notConnected = () =>
  new AppError({ code: 'source_not_connected', kind: 'not_found', message: 'This user has no connection to this source; link it first' });

const notActive = () =>
  new AppError({ code: 'source_not_active', kind: 'conflict', message: 'The connection to this source is paused or in error' });

/** Summaries that may have the identity of one built from readings of a phone; a body is identified by its day, a built one by its instant. */
const builtResources: ReadonlySet<string> = new Set(['activity', 'meal']);

const builtIdsOf = (records: readonly CanonicalRecord[]): string[] =>
  records.flatMap((record) => (record.kind === 'summary' && builtResources.has(record.resource) ? [record.id] : []));

/**
 * Stores a measurement body of a team's own app, all or nothing, with its events. The request that arrived last wins; repeating one changes
 * nothing. What is outside the user's ingestion bounds is not stored, and listed in the outcome. Throws AppError `source_not_connected`, `source_not_active` and
 * `data_refused`.
 */
export async function writeIntake(database: Database, request: IntakeRequest): Promise<IntakeOutcome> {
  const { teamId, userId, provider, intake, traceId } = request;
  const version = await drawVersion(database);
  try {
    return await withEvents(database, async (tx, emit) => {
      // Locks the user before any row, as all writers of a user's data do.
      await lockRecords(tx, userId);
      const connection = await connectionForIntake(tx, teamId, userId, provider);
      if (!connection) throw notConnected();
      if (connection.status !== 'connected') throw notActive();
      const leftOut = findLeftOut({ userId, provider }, intake, connection);
      const records = withinBounds(intakeRecords({ userId, provider }, intake), connection);
      const sent = isPhoneStore(provider) ? builtIdsOf(records) : [];
      if (sent.length > 0) await markSent(tx, { teamId, userId }, sent);
      await admitOtherWrite(tx, { connectionId: connection.connectionId, userId }, version);
      const written = await writeRecords(tx, emit, {
        owner: { teamId, userId, clientUserId: connection.clientUserId },
        // Drawn under the lock, as those of built summaries are: one that was built meanwhile would be newer.
        version: sent.length > 0 ? await drawVersion(tx) : version,
        origin: 'live',
        records,
        sourceId: findIdentity(provider)?.sourceId ?? 0,
        traceId,
        offsetsFrom: 'value',
      });
      const sentItems = countItems(intake);
      return { ...written, samplesReceived: sentItems.samples, summariesReceived: sentItems.summaries, leftOut };
    });
  } catch (cause) {
    if (!isDataError(cause)) throw cause;
    throw new AppError({ code: 'data_refused', kind: 'invalid', message: 'The database cannot store one of the values', cause });
  }
}
