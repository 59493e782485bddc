import { randomUUID } from 'node:crypto';
import { sql as fragment } from 'drizzle-orm';
import { plainArray, run } from '@pulsewire/database';
import { bulkOperations } from '../../model/bulk-tables.ts';
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
    await run(
      tx.orm.insert(bulkOperations).values({
        operationId,
        teamId,
        type: 'link_bulk_historical_trigger',
        provider,
        status: 'in_progress',
        total: userIds.length,
        logoBaseUrl,
        startedAt: now,
        movedAt: fragment`clock_timestamp()`,
      }),
    );
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
    await sql`
      UPDATE bulk_operations o SET processed = d.done, status = CASE WHEN d.done = o.total THEN 'success' ELSE 'in_progress' END,
        ended_at = CASE WHEN d.done = o.total THEN o.started_at END
      FROM (SELECT count(*) AS done FROM bulk_items WHERE operation_id = ${operationId} AND outcome IS NOT NULL) d
      WHERE o.operation_id = ${operationId}`;
    return getOperation(tx, teamId, operationId);
  });
}
