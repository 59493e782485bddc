import { connectionsByPushName, connectionsForPush, type PushConnection } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import type { PushNotice } from '@pulsewire/providers';
import { lockRecordsOfUsers } from '@pulsewire/store';
import { isSignedByAppOf } from '../../model/push-owner.ts';
import type { StoredPush } from '../inbox/begin-push.ts';

/** An account that a push names, and its notices. */
export interface NamedAccount {
  /** The connections to it that were made with an application which signed the push, in the order in which they are locked. */
  readonly connections: readonly PushConnection[];
  readonly notices: readonly PushNotice[];
}

const isAlias = (notice: PushNotice): boolean => notice.kind === 'object' && notice.isAlias === true;

function isCalled({ account }: PushConnection, name: string): boolean {
  const names = account['push_names'];
  return Array.isArray(names) && names.includes(name);
}

const byConnectionId = (a: PushConnection, b: PushConnection) => a.connectionId.localeCompare(b.connectionId);

/**
 * The accounts that these notices name, in one order everywhere, so that two pushes never deadlock. Users whose records the push contains or
 * removes are locked before any of their rows: pushes of two providers, or a pull, may write records of the same users.
 */
export async function findAccounts(
  tx: Tx,
  { provider, owners }: StoredPush,
  notices: readonly PushNotice[],
): Promise<readonly NamedAccount[]> {
  const byAccount = Map.groupBy(notices, ({ providerUserId }) => providerUserId);
  // Postgres accepts no NUL in text, and no account has such an id.
  const accounts = [...byAccount.keys()].filter((id) => !id.includes('\0'));
  const aliases = new Set(notices.filter(isAlias).map(({ providerUserId }) => providerUserId));
  const called = await connectionsByPushName(tx, provider, [...aliases]);
  let connections = await connectionsForPush(tx, provider, accounts);
  const changesRecords = ({ kind }: PushNotice) => kind === 'data' || kind === 'removed';
  const withRecords = new Set(notices.filter(changesRecords).map(({ providerUserId }) => providerUserId));
  const users = connections.filter(({ providerUserId }) => withRecords.has(providerUserId ?? '')).map(({ userId }) => userId);
  if (users.length > 0) {
    await lockRecordsOfUsers(tx, users);
    // Read again: the users are locked now.
    connections = await connectionsForPush(tx, provider, accounts);
  }
  const byProviderUser = Map.groupBy(connections, ({ providerUserId }) => providerUserId);
  return [...byAccount]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, own]) => {
      const named = aliases.has(id) ? called.filter((connection) => isCalled(connection, id)) : (byProviderUser.get(id) ?? []);
      const signed = named.filter((connection) => isSignedByAppOf(owners, connection));
      return { notices: own, connections: signed.toSorted(byConnectionId) };
    });
}
