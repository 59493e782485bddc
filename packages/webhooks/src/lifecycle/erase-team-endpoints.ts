import type { Database } from '@pulsewire/database';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import type { EndpointContext } from '../model/context.ts';

/** Deletes a team's endpoints with their waiting deliveries one by one, then the rest of its delivery data. Idempotent. */
export async function eraseTeamEndpoints({ database }: { readonly database: Database }, teamId: string): Promise<void> {
  const { sql } = database;
  const rows = await sql<
    { endpoint_id: string }[]
  >`SELECT endpoint_id FROM webhook_endpoints WHERE team_id = ${teamId} ORDER BY endpoint_id`;
  for (const { endpoint_id: endpointId } of rows) {
    await sql`DELETE FROM webhook_quarantine WHERE endpoint_id = ${endpointId}`;
    await deleteEndpoint({ database } as EndpointContext, teamId, endpointId);
  }
  await sql`DELETE FROM webhook_replays WHERE team_id = ${teamId}`;
  await sql`DELETE FROM webhook_test_events WHERE team_id = ${teamId}`;
}
