import { randomUUID } from 'node:crypto';
import { plainArray } from '@pulsewire/database';
import { beginTrigger, countSettled } from '../operation-status/progress.ts';
import type { BulkContext } from '../operations/context.ts';
import { getOperation, type BulkOperation } from '../operations/operation.ts';

/**
 * Queues the historical pull of these users' connections; users who cannot be pulled fail immediately, with the reason. A user who is named
 * twice is queued once.
 */
export function triggerHistory(
  { database, clock }: BulkContext,
  request: { readonly teamId: string; readonly provider: string; readonly userIds: readonly string[]; readonly logoBaseUrl: string },
): Promise<BulkOperation> {
  const { teamId, provider, logoBaseUrl } = request;
  const operationId = randomUUID();
  const userIds = [...new Set(request.userIds)];
  const now = clock.now();
  const at = now.toISOString();
  return database.transaction(async (tx) => {
    const { sql } = tx;
    await beginTrigger(tx, { operationId, teamId, provider, total: userIds.length, logoBaseUrl }, now);
    await sql`
      INSERT INTO bulk_items (operation_id, item, user_id, outcome, reason)
      SELECT ${operationId}::uuid, n.place - 1, n.user_id, CASE WHEN j.reason IS NOT NULL THEN 'failed' END, j.reason
      FROM unnest(${plainArray(userIds)}::uuid[]) WITH ORDINALITY AS n(user_id, place)
      LEFT JOIN users u ON u.user_id = n.user_id AND u.team_id = ${teamId} AND u.deleted_at IS NULL
      LEFT JOIN connections c ON c.user_id = u.user_id AND c.provider = ${provider} AND c.team_id = ${teamId}
      CROSS JOIN LATERAL (SELECT CASE WHEN u.user_id IS NULL THEN 'user_not_found' WHEN c.connection_id IS NULL THEN 'connection_not_found'
        WHEN c.status <> 'connected' THEN 'connection_' || c.status END AS reason) j`;
    await sql`
      INSERT INTO bulk_turns (team_id, provider, connection_id, operation_id, item, queued_at)
      SELECT ${teamId}::uuid, ${provider}, c.connection_id, i.operation_id, i.item, ${at}::timestamptz
      FROM bulk_items i JOIN connections c ON c.user_id = i.user_id AND c.provider = ${provider} AND c.team_id = ${teamId}
      WHERE i.operation_id = ${operationId} AND i.outcome IS NULL ORDER BY i.item`;
    await countSettled(tx, operationId);
    return getOperation(tx, teamId, operationId);
  });
}
