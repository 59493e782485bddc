import { AppError } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { findIdentity, scopesOf } from '@pulsewire/providers';
import { emitConnectionCreated, putConnection } from '../connections/put-connection.ts';
import type { LinkContext } from '../context/context.ts';
import type { Connection } from '../model/connection.ts';
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
 * Connects a user of a sandbox team to a provider that does not exist; `growDemos` makes its data. It need not
 * have a connector either (`findIdentity`). False when the user has this demo connection already. Throws AppError `demo_not_allowed` for a
 * production team, `provider_unknown`, `user_is_not_demo`, and what a missing user throws.
 */
export async function connectDemo(context: LinkContext, team: Team, demo: DemoLink): Promise<boolean> {
  assertDemoAllowed(team);
  const connection = await withEvents(context.database, (tx, emit) => connectDemoInTx(context, tx, emit, { ...demo, teamId: team.teamId }));
  return connection !== null;
}

/** The same within a transaction, for a team that may; null when the user has this demo connection already. */
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
      message: 'There is no demo of this provider here',
      details: { provider },
    });
  const { clientUserId } = await lockUser(tx, teamId, userId);
  const [known] = await tx.sql`
    SELECT 1 FROM connections WHERE team_id = ${teamId} AND user_id = ${userId} AND provider = ${provider}
      AND demo_due_at IS NOT NULL AND status = 'connected'`;
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
