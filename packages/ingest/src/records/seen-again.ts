import { plainArray, type Tx } from '@pulsewire/database';
import { confirmVersions } from '@pulsewire/store';
import { recordChange } from '../window/cursors.ts';
import { confirmedIn, readingsSeenAfter, type ReadResponse } from '../window/last-reading.ts';

/**
 * Records in the store and in the vault that these responses were received again, as if each of them had been stored again then. A poll
 * without news leaves this out; it is done before something older is written, which must lose against it, and before the reading is
 * replaced. The caller holds the user's lock.
 */
export async function confirmSeen(tx: Tx, userId: string, responses: readonly ReadResponse[]): Promise<void> {
  const confirmed = confirmedIn(responses);
  if (confirmed.length === 0) return;
  await confirmVersions(tx, userId, confirmed);
  await tx.sql`
    UPDATE raw_answers r SET seen_version = greatest(r.seen_version, c.seen)
    FROM unnest(${plainArray(confirmed.map(({ from }) => from.toString()))}::bigint[], ${plainArray(confirmed.map(({ to }) => to.toString()))}::bigint[]) AS c(version, seen)
    WHERE r.user_id = ${userId} AND r.source = 'pull' AND r.version = c.version`;
}

/** The same for everything that was received again after `version`, under which records are about to be written. */
export async function confirmSeenAfter(
  tx: Tx,
  { connectionId, userId }: { readonly connectionId: string; readonly userId: string },
  version: bigint,
): Promise<void> {
  await confirmSeen(tx, userId, await readingsSeenAfter(tx, connectionId, version));
}

/**
 * Call it, under the user's lock, before records of this connection are written by something that is no pull, push or renormalisation: they
 * lose against what was received after `version`, and the next poll compares what it reads with them.
 */
export async function admitOtherWrite(
  tx: Tx,
  connection: { readonly connectionId: string; readonly userId: string },
  version: bigint,
): Promise<void> {
  await confirmSeenAfter(tx, connection, version);
  await recordChange(tx, connection.connectionId, null);
}
