import { run, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { AppError } from '@pulsewire/kernel';
import { findIdentity, scopesOf } from '@pulsewire/providers';
import { and, eq, isNotNull } from 'drizzle-orm';
import { emitConnectionCreated, putConnection } from '../connections/put-connection.ts';
import type { LinkContext } from '../context/context.ts';
import type { Connection } from '../model/connection.ts';
import { connections } from '../model/tables.ts';
import type { Team } from '../teams/team.ts';
import { lockUser } from '../users/find-user.ts';

export interface DemoLink {
  readonly userId: string;
  readonly provider: string;
  readonly traceId: string | null;
}

/** Throws AppError `demo_not_allowed` for a production team. */
export function assertDemoAllowed({ isSandbox }: Team): void {
  if (!isSandbox)
    throw new AppError({ code: 'demo_not_allowed', kind: 'forbidden', message: 'Demo connections are for sandbox teams only' });
}

/**
 * Connects a user of a sandbox team to generated data of a provider (`extendDemos`), which needs no connector (`findIdentity`). Returns
 * false when the user has this demo connection already. Throws AppError `demo_not_allowed` for a production team, `provider_unknown`,
 * `user_is_not_demo`, and the errors of a missing user.
 */
export async function connectDemo(context: LinkContext, team: Team, demo: DemoLink): Promise<boolean> {
  assertDemoAllowed(team);
  const connection = await withEvents(context.database, (tx, emit) => connectDemoInTx(context, tx, emit, { ...demo, teamId: team.teamId }));
  return connection !== null;
}

/** The same within a transaction, for a sandbox team; null when the user has this demo connection already. */
export async function connectDemoInTx(
  context: LinkContext,
  tx: Tx,
  emit: Emit,
  { teamId, userId, provider, traceId }: DemoLink & { readonly teamId: string },
): Promise<Connection | null> {
  const identity = findIdentity(provider, context.connectorFor);
  if (!identity)
    throw new AppError({
      code: 'provider_unknown',
      kind: 'invalid',
      message: 'This provider has no demo',
      details: { provider },
    });
  const { clientUserId } = await lockUser(tx, teamId, userId);
  const isConnected = and(
    eq(connections.teamId, teamId),
    eq(connections.userId, userId),
    eq(connections.provider, provider),
    isNotNull(connections.demoDueAt),
    eq(connections.status, 'connected'),
  );
  const [known] = await run(tx.orm.select({ userId: connections.userId }).from(connections).where(isConnected));
  if (known) return null;
  const connection = await putConnection(tx, emit, context, {
    teamId,
    userId,
    clientUserId,
    provider,
    providerUserId: null,
    externalUserId: null,
    application: 'platform',
    grantedScopes: scopesOf(identity),
    deniedScopes: [],
    account: {},
    isDemo: true,
  });
  emitConnectionCreated(emit, context, connection, { clientUserId, provider: identity, connector: identity, traceId });
  return connection;
}
