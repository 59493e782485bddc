import { AppError } from '@pulsewire/kernel';
import { and, eq, gt } from 'drizzle-orm';
import { plainArray, run, type Executor, type Tx } from '@pulsewire/database';
import type { ConfirmedVersion } from '@pulsewire/store';
import { pullWindows } from '../model/tables.ts';
import type { RunningWindow } from './claim-window.ts';
import { advanceCursor } from './cursors.ts';

/** A response of the last complete reading of a window. */
export interface ReadResponse {
  /** Of the request, the response, and everything else that its mapping depends on. */
  readonly digest: Buffer;
  /** The version under which its records are stored. */
  readonly version: bigint;
  /** The version under which it was received last; equal to `version` until it is received again. */
  readonly seenVersion: bigint;
}

export const digestBytes = 16;
const entryBytes = digestBytes + 16;

/** More responses than this are not remembered: most readings have one, and each costs bytes in every row. */
export const responsesMax = 8;

export function packReading(responses: readonly ReadResponse[]): Buffer {
  return Buffer.concat(
    responses.map(({ digest, version, seenVersion }) => {
      const entry = Buffer.alloc(entryBytes);
      digest.copy(entry, 0, 0, digestBytes);
      entry.writeBigInt64BE(version, digestBytes);
      entry.writeBigInt64BE(seenVersion, digestBytes + 8);
      return entry;
    }),
  );
}

/** Throws AppError `reading_unreadable` when the bytes are damaged. */
export function unpackReading(packed: Buffer): readonly ReadResponse[] {
  if (packed.length === 0 || packed.length % entryBytes !== 0)
    throw new AppError({ code: 'reading_unreadable', kind: 'bug', message: 'The stored digest of a reading is damaged' });
  return Array.from({ length: packed.length / entryBytes }, (_, index) => {
    const entry = packed.subarray(index * entryBytes, (index + 1) * entryBytes);
    return {
      digest: entry.subarray(0, digestBytes),
      version: entry.readBigInt64BE(digestBytes),
      seenVersion: entry.readBigInt64BE(digestBytes + 8),
    };
  });
}

/** Versions of responses that were received again after they were stored. */
export function confirmedIn(responses: readonly ReadResponse[]): readonly ConfirmedVersion[] {
  return responses
    .filter(({ version, seenVersion }) => seenVersion > version)
    .map(({ version, seenVersion }) => ({ from: version, to: seenVersion }));
}

/**
 * Ends a window whose responses were all equal to those of its last reading, and records under which versions they were received. False,
 * with nothing changed, when records that it reads were changed by another path since, or another worker has it: it must be read in full.
 * The caller holds the user's lock: a change in progress has committed, and one that follows finds the versions recorded here.
 */
export async function endUnchanged(
  tx: Tx,
  connectionId: string,
  window: RunningWindow,
  responses: readonly ReadResponse[],
  now: Date,
): Promise<boolean> {
  const at = now.toISOString();
  const seen = responses.reduce((highest, { seenVersion }) => (seenVersion > highest ? seenVersion : highest), 0n);
  const [row] = await tx.sql<{ state: string }[]>`
    UPDATE pull_windows w SET state = CASE WHEN is_asked_again THEN 'planned' ELSE 'done' END, is_asked_again = false, run_epoch = NULL, attempts = 0,
      planned_at = CASE WHEN is_asked_again THEN ${at}::timestamptz ELSE planned_at END, runs = runs + 1, reading_runs = runs + 1,
      due_at = ${at}, finished_at = ${at}, error_code = NULL, reading = ${packReading(responses)}, seen_version = ${seen.toString()}::bigint
    WHERE window_id = ${window.windowId} AND state = 'running' AND run_epoch = ${window.epoch} AND reading_runs = runs
      AND reading_changes = (SELECT changes FROM pull_cursors c WHERE c.connection_id = w.connection_id AND c.pull = w.pull)
    RETURNING state`;
  if (!row) return false;
  const isAhead = window.coveredTo !== null && window.coveredTo >= window.endDate;
  if (row.state === 'done' && !isAhead) await advanceCursor(tx, connectionId, window.pull, window.endDate);
  return true;
}

/** The last readings of a connection's windows that were received again after `version`. */
export async function readingsSeenAfter({ orm }: Executor, connectionId: string, version: bigint): Promise<readonly ReadResponse[]> {
  const { reading, seenVersion } = pullWindows;
  const isSeenAfter = and(eq(pullWindows.connectionId, connectionId), gt(seenVersion, version));
  const rows = await run(orm.select({ reading }).from(pullWindows).where(isSeenAfter));
  return rows.flatMap((row) => (row.reading === null ? [] : unpackReading(row.reading)));
}

/** Forgets the last readings of these connections' windows, so that all are read in full next time. Returns them. */
export async function forgetReadings({ sql }: Tx, connectionIds: readonly string[]): Promise<readonly ReadResponse[]> {
  const rows = await sql<{ reading: Buffer }[]>`
    WITH known AS (
      SELECT window_id, reading FROM pull_windows WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND reading IS NOT NULL
      ORDER BY window_id FOR UPDATE)
    UPDATE pull_windows w SET reading = NULL, seen_version = NULL FROM known WHERE w.window_id = known.window_id RETURNING known.reading`;
  return rows.flatMap(({ reading }) => unpackReading(reading));
}
