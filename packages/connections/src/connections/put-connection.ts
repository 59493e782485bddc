import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { run, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import type { ProviderIdentity } from '@pulsewire/providers';
import { linkConnection, type LinkedConnection } from '../connection-status/link.ts';
import { toConnection, type Connection } from '../model/connection.ts';
import { connections } from '../model/tables.ts';
import { connectionCreatedEvent } from '../connection-status/events.ts';
import { removeReplacedConnection, type DeregistrationOptions } from './remove-connection.ts';

export interface NewConnection extends LinkedConnection {
  /** The team's reference to the user, for the event of a replaced connection. */
  readonly clientUserId: string;
}

/**
 * A user has either real or demo connections. Throws AppError `user_is_demo` when a demo user would get a real connection,
 * `user_is_not_demo` in the opposite case. The caller holds the lock of the user.
 */
export async function assertNotMixedWithDemo({ orm }: Tx, teamId: string, userId: string, isDemo = false): Promise<void> {
  const { connectionId, demoDueAt } = connections;
  const isOther = and(eq(connections.teamId, teamId), eq(connections.userId, userId), isDemo ? isNull(demoDueAt) : isNotNull(demoDueAt));
  const [other] = await run(orm.select({ connectionId }).from(connections).where(isOther).limit(1));
  if (!other) return;
  throw isDemo
    ? new AppError({ code: 'user_is_not_demo', kind: 'invalid', message: 'A user with real connections cannot have demo connections' })
    : new AppError({ code: 'user_is_demo', kind: 'invalid', message: 'A demo user cannot have real connections' });
}

/**
 * Stores a user's connection to a provider; there is at most one. Linking the same account again revives the existing connection with its
 * history and plans; a connection to another account is deregistered first. The caller holds the lock of the user and emits the event
 * (`emitConnectionCreated`). Throws what `assertNotMixedWithDemo` throws.
 */
export async function putConnection(tx: Tx, emit: Emit, options: DeregistrationOptions, connection: NewConnection): Promise<Connection> {
  await assertNotMixedWithDemo(tx, connection.teamId, connection.userId, connection.isDemo);
  await removeReplacedConnection(tx, emit, options, connection);
  return toConnection(await linkConnection(tx, connection, options.clock.now()));
}

/** Emits `provider.connection.created`. `connector` is null when no connector delivers data: then no resource is available. */
export function emitConnectionCreated(
  emit: Emit,
  { baseUrl }: { readonly baseUrl: () => string },
  connection: Connection,
  facts: {
    readonly clientUserId: string;
    readonly provider: { readonly slug: string; readonly name: string };
    readonly connector: Pick<ProviderIdentity, 'oauth' | 'resources'> | null;
    readonly traceId: string | null;
  },
): void {
  emit(jsonEvent(connectionCreatedEvent(connection, { ...facts, logoBaseUrl: `${baseUrl()}/logos` })));
}
