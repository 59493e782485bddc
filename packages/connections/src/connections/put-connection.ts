import { randomUUID } from 'node:crypto';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { run, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import type { ProviderIdentity } from '@pulsewire/providers';
import { toConnection, type Connection, type ConnectionRow } from '../model/connection.ts';
import { connections } from '../model/tables.ts';
import { connectionCreatedEvent } from './events.ts';
import { removeReplacedConnection, type DeregistrationOptions } from './remove-connection.ts';

export interface NewConnection {
  readonly teamId: string;
  readonly userId: string;
  /** The team's reference to the user, for the event of a replaced connection. */
  readonly clientUserId: string;
  readonly provider: string;
  readonly providerUserId: string | null;
  readonly externalUserId: string | null;
  readonly application: 'team' | 'platform';
  readonly grantedScopes: readonly string[];
  readonly deniedScopes: readonly string[];
  readonly account: Readonly<Record<string, unknown>>;
  /** Generated data of a sandbox team. */
  readonly isDemo?: boolean;
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
  const { isDemo = false } = connection;
  await assertNotMixedWithDemo(tx, connection.teamId, connection.userId, isDemo);
  await removeReplacedConnection(tx, emit, options, connection);
  const now = options.clock.now().toISOString();
  const [row] = await tx.sql<ConnectionRow[]>`
    INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, external_user_id, status, application,
      granted_scopes, denied_scopes, account, demo_due_at, created_at, updated_at)
    VALUES (${randomUUID()}, ${connection.teamId}, ${connection.userId}, ${connection.provider}, ${connection.providerUserId}, ${connection.externalUserId},
      'connected', ${connection.application}, ${[...connection.grantedScopes]}::text[], ${[...connection.deniedScopes]}::text[],
      ${JSON.stringify(connection.account)}::jsonb, ${isDemo ? now : null}, ${now}, ${now})
    ON CONFLICT (user_id, provider) DO UPDATE SET provider_user_id = excluded.provider_user_id, external_user_id = excluded.external_user_id,
      status = 'connected', application = excluded.application,
      granted_scopes = excluded.granted_scopes, denied_scopes = excluded.denied_scopes,
      account = CASE WHEN connections.provider_user_id = excluded.provider_user_id THEN connections.account || excluded.account ELSE excluded.account END,
      error_type = NULL, error_message = NULL, errored_at = NULL, updated_at = excluded.updated_at
    RETURNING *`;
  return toConnection(row as ConnectionRow);
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
