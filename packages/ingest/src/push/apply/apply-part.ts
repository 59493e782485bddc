import { connectionsForPush, findConnectionsByProviderUser, findLinkedAccounts } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { PushNotice } from '@pulsewire/providers';
import { claimUsers } from '@pulsewire/store';
import type { IngestContext } from '../../context/context.ts';
import { isLinkedSince } from '../../model/is-linked-since.ts';
import { stopRevoked } from '../../run/settle-failure.ts';
import type { PackedPush } from '../../vault/pack-pushed.ts';
import { applyApart } from './apply-apart.ts';
import { applyNotices } from './apply-notices.ts';
import { isData } from './pack-push.ts';
import { isSignedByAppOf } from '../../model/push-owner.ts';
import type { StoredPush } from '../parse/read-push.ts';

/** A push with its answers for the vault. `isApart`: what Postgres refuses is set aside (`storeApart`). */
type PackedStoredPush = StoredPush & { readonly packed: readonly PackedPush[]; readonly isApart: boolean };

/**
 * Does what one provider user's notices ask for, in every connection to that account that was made with an application which
 * signed them; false when there is none.
 */
async function applyToAccount(
  context: IngestContext,
  tx: Tx,
  emit: Emit,
  { provider, owners, receivedAt, version, packed, isApart }: PackedStoredPush,
  providerUserId: string,
  notices: readonly PushNotice[],
): Promise<boolean> {
  const linked = await findConnectionsByProviderUser(tx, provider, providerUserId);
  const connections = linked.filter((connection) => isSignedByAppOf(owners, connection));
  const isRevoked = notices.some((notice) => notice.kind === 'revoked');
  // In one order everywhere, so that two pushes never wait for each other.
  for (const { connectionId } of connections.toSorted((a, b) => a.connectionId.localeCompare(b.connectionId))) {
    if (isRevoked && !(await isLinkedSince(tx, connectionId, receivedAt))) await stopRevoked(context, tx, emit, connectionId);
    else await (isApart ? applyApart : applyNotices)(context, tx, emit, { connectionId, notices, version, packed, isApart });
  }
  return connections.length > 0;
}

/** Locks the users whose records the push brings, before any of their rows: pushes of two providers may bring data of the same users. */
async function claimOwners(tx: Tx, { provider }: StoredPush, providerUserIds: readonly string[]): Promise<void> {
  if (providerUserIds.length === 0) return;
  const connections = await connectionsForPush(tx, provider, providerUserIds);
  await claimUsers(
    tx,
    connections.map(({ userId }) => userId),
  );
}

/** Does what the notices of a push, or of a part of one, ask for; gives how many of the users whom they name nobody here has linked. */
export async function applyPart(
  context: IngestContext,
  tx: Tx,
  emit: Emit,
  stored: PackedStoredPush,
  all: readonly PushNotice[],
): Promise<number> {
  // Postgres takes no NUL in texts; nobody is linked under such an id.
  const notices = all.filter(({ providerUserId }) => !providerUserId.includes('\0'));
  const nameless = new Set(all.filter(({ providerUserId }) => providerUserId.includes('\0')).map(({ providerUserId }) => providerUserId));
  const byUser = Map.groupBy(notices, (notice) => notice.providerUserId);
  await claimOwners(tx, stored, [...new Set(notices.filter(isData).map(({ providerUserId }) => providerUserId))]);
  const linked = await findLinkedAccounts(tx, stored.provider, [...byUser.keys()]);
  let unknownUsers = byUser.size - linked.size + nameless.size;
  for (const [providerUserId, own] of [...byUser].filter(([id]) => linked.has(id)).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!(await applyToAccount(context, tx, emit, stored, providerUserId, own))) unknownUsers += 1;
  }
  return unknownUsers;
}
