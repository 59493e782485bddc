import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import { pullableOf } from '../../context/pullable.ts';
import { isLinkedSince } from '../../model/is-linked-since.ts';
import { applyNotices, applyRefused } from './apply-notices.ts';
import { findAccounts } from './find-accounts.ts';
import type { StoredPush } from '../inbox/begin-push.ts';
import { stopEnded } from '../../run/settle-failure.ts';
import type { PackedPush } from '../../vault/pack-pushed.ts';

/** A push with its packed data for the vault. `isolatesRefused`: records that Postgres refuses are quarantined (`storeWithQuarantine`). */
type PackedStoredPush = StoredPush & { readonly packed: readonly PackedPush[]; readonly isolatesRefused: boolean };

/**
 * Applies the notices of a push, or of a part of one, to the accounts that they name: to each connection that was made with an application
 * that signed the push. Returns how many accounts have no such connection.
 */
export async function applyPart(
  context: IngestContext,
  tx: Tx,
  emit: Emit,
  stored: PackedStoredPush,
  notices: readonly PushNotice[],
): Promise<number> {
  const { receivedAt, version, packed, isolatesRefused } = stored;
  const accounts = await findAccounts(tx, stored, notices);
  for (const { connections, notices: own } of accounts) {
    const isRevoked = own.some(({ kind }) => kind === 'revoked');
    for (const connection of connections) {
      const { connectionId, isPullable } = connection;
      if (isRevoked && !(await isLinkedSince(tx, connectionId, receivedAt))) {
        await stopEnded(context, tx, emit, connectionId);
        continue;
      }
      const found = isPullable ? pullableOf(context, connection) : null;
      if (found)
        await (isolatesRefused ? applyRefused : applyNotices)(context, tx, emit, { found, notices: own, version, packed, isolatesRefused });
    }
  }
  return accounts.filter(({ connections }) => connections.length === 0).length;
}
