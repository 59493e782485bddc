import { run } from '@pulsewire/database';
import { eq } from 'drizzle-orm';
import { webhookEndpoints, webhookPending } from '../tables.ts';
import type { EndpointContext } from './context.ts';
import { byTeamAndId, findEndpointRow } from './row.ts';

/** Removes an endpoint and what waits for it, and ends its replays; its attempts stay until retention drops them. Throws AppError `endpoint_not_found`. */
export async function deleteEndpoint({ database }: EndpointContext, teamId: string, endpointId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await findEndpointRow(tx, teamId, endpointId, 'for_update');
    await run(tx.orm.delete(webhookEndpoints).where(byTeamAndId(teamId, endpointId)));
    await run(tx.orm.delete(webhookPending).where(eq(webhookPending.endpointId, endpointId)));
    await tx.sql`
      UPDATE webhook_replays SET status = 'cancelled', ended_at = now()
      WHERE team_id = ${teamId} AND endpoint_id = ${endpointId} AND status = 'running'`;
  });
}
