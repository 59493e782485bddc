import { asc, eq } from 'drizzle-orm';
import { run, type Database } from '@pulsewire/database';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import type { EndpointContext } from '../model/context.ts';
import { webhookEndpoints, webhookQuarantine, webhookReplays, webhookTestEvents } from '../model/tables.ts';

/** Deletes a team's endpoints with their waiting deliveries one by one, then the rest of its delivery data. Idempotent. */
export async function eraseTeamEndpoints({ database }: { readonly database: Database }, teamId: string): Promise<void> {
  const { orm } = database;
  const { endpointId: id, teamId: ofTeam } = webhookEndpoints;
  const rows = await run(orm.select({ endpointId: id }).from(webhookEndpoints).where(eq(ofTeam, teamId)).orderBy(asc(id)));
  for (const { endpointId } of rows) {
    await run(orm.delete(webhookQuarantine).where(eq(webhookQuarantine.endpointId, endpointId)));
    await deleteEndpoint({ database } as EndpointContext, teamId, endpointId);
  }
  await run(orm.delete(webhookReplays).where(eq(webhookReplays.teamId, teamId)));
  await run(orm.delete(webhookTestEvents).where(eq(webhookTestEvents.teamId, teamId)));
}
