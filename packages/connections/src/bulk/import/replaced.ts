import { type Tx, plainArray, textArray } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import type { AcceptedItem } from './validate-items.ts';
import type { ImportContext } from '../operations/context.ts';
import { queueDeregistrations } from '../../connection-status/end-connection.ts';
import { connectionRemovedEvent } from '../../connection-status/events.ts';
import { deleteConnections } from '../../connection-status/remove.ts';
import { toConnection, type ConnectionRow } from '../../model/connection.ts';

/**
 * Marks every recipe of an upload that a later one of the same user replaces, independent of the batches it arrived in.
 *
 * The statement is joined by `ctid`, which every plan follows directly or by hashing. The rows were inserted a moment ago, so the planner
 * knows nothing about them: by their key it has chosen a nested loop that compares every row with every other one.
 */
export async function markReplaced({ sql }: Tx, operationId: string): Promise<void> {
  await sql`
    UPDATE bulk_items i SET outcome = 'replaced', access_token = NULL, refresh_token = NULL, provider_user_id = NULL
    FROM (
      SELECT ctid AS place, item, max(item) OVER (PARTITION BY user_id) AS last FROM bulk_items WHERE operation_id = ${operationId}
    ) d
    WHERE i.ctid = d.place AND d.item < d.last`;
}

/**
 * `removeReplacedConnection` for a batch: connections of these users to another account, or by the platform's application, are deregistered
 * before the imported ones are stored. The caller holds the locks of the users.
 */
export async function removeReplaced(
  context: ImportContext,
  tx: Tx,
  emit: Emit,
  { teamId, provider, accepted }: { readonly teamId: string; readonly provider: string; readonly accepted: readonly AcceptedItem[] },
): Promise<void> {
  const rows = await tx.sql<ConnectionRow[]>`
    SELECT c.* FROM connections c
    JOIN unnest(${plainArray(accepted.map(({ user }) => user.user_id))}::uuid[], ${textArray(accepted.map(({ item }) => item.provider_user_id))}::text[])
      AS n(user_id, provider_user_id) USING (user_id)
    WHERE c.team_id = ${teamId} AND c.provider = ${provider} AND (c.provider_user_id <> n.provider_user_id OR c.application <> 'team')
    ORDER BY c.user_id FOR UPDATE OF c`;
  const connectionIds = rows.map((row) => row.connection_id);
  if (connectionIds.length === 0) return;
  await queueDeregistrations(tx, context.clock, teamId, connectionIds);
  await deleteConnections(tx, teamId, connectionIds);
  await context.onReplaced?.(tx, connectionIds);
  const references = new Map(accepted.map(({ user }) => [user.user_id, user.client_user_id]));
  for (const connection of rows.map(toConnection)) {
    const clientUserId = references.get(connection.userId) ?? '';
    emit(jsonEvent(connectionRemovedEvent(connection, { clientUserId, reason: 'replaced' })));
  }
}
