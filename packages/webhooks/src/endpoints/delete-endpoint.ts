import { and, eq, sql } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { webhookEndpoints, webhookReplays } from '../model/tables.ts';
import type { EndpointContext } from '../model/context.ts';
import { byTeamAndId, findEndpointRow } from '../model/endpoint-row.ts';

/**
 * Deletes an endpoint, its waiting deliveries and its replays; its attempts stay until retention drops them. The endpoint's row is locked
 * first and deleted last. Pending rows that a dispatcher is writing are not waited for; `maintainAttempts` removes them. Throws AppError
 * `endpoint_not_found`.
 */
export async function deleteEndpoint({ database }: EndpointContext, teamId: string, endpointId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await findEndpointRow(tx, teamId, endpointId, 'for_update');
    await tx.sql`
      WITH free AS MATERIALIZED (SELECT event_id FROM webhook_pending WHERE endpoint_id = ${endpointId} FOR UPDATE SKIP LOCKED)
      DELETE FROM webhook_pending p USING free f WHERE p.endpoint_id = ${endpointId} AND p.event_id = f.event_id`;
    await run(
      tx.orm
        .update(webhookReplays)
        .set({ status: 'cancelled', endedAt: sql`now()` })
        .where(and(eq(webhookReplays.teamId, teamId), eq(webhookReplays.endpointId, endpointId), eq(webhookReplays.status, 'running'))),
    );
    await run(tx.orm.delete(webhookEndpoints).where(byTeamAndId(teamId, endpointId)));
  });
}
