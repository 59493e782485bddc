import { plainArray, run, type Tx, type Database } from '@pulsewire/database';
import type { LogAddress } from '@pulsewire/eventlog';
import { and, eq, asc } from 'drizzle-orm';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import type { EndpointContext } from '../model/context.ts';
import { webhookReplays, webhookEndpoints, webhookQuarantine, webhookTestEvents } from '../model/tables.ts';

const chunkSize = 2000;

/**
 * Part of a user's erasure after the grace period: removes the user's waiting and quarantined deliveries, replays for only this user, and
 * the attempts of the user's events. `addresses` are those of the user's events, in log order, because attempts do not name a user.
 * Attempts older than the log stay until their day is dropped; nothing links them to a user.
 */
export async function eraseUserDeliveries(
  tx: Tx,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  addresses: readonly LogAddress[],
): Promise<void> {
  const { sql } = tx;
  // Pending rows before replays, and in key order: packages/database/LOCKS.md.
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT endpoint_id, event_id FROM webhook_pending
      WHERE endpoint_id IN (SELECT endpoint_id FROM webhook_endpoints WHERE team_id = ${teamId}) AND user_id = ${userId}
      ORDER BY endpoint_id, event_id FOR UPDATE
    )
    DELETE FROM webhook_pending p USING locked l WHERE p.endpoint_id = l.endpoint_id AND p.event_id = l.event_id`;
  await run(tx.orm.delete(webhookReplays).where(and(eq(webhookReplays.teamId, teamId), eq(webhookReplays.userId, userId))));
  await sql`
    DELETE FROM webhook_quarantine
    WHERE endpoint_id IN (SELECT endpoint_id FROM webhook_endpoints WHERE team_id = ${teamId}) AND user_id = ${userId}`;
  // Shard by shard: after a reshard a user has events in several shards, and offsets are unique only within a shard.
  for (const [shard, ofShard] of Map.groupBy(addresses, (address) => address.shard)) await eraseAttempts(tx, shard, ofShard);
}

async function eraseAttempts({ sql }: Tx, shard: number, addresses: readonly LogAddress[]): Promise<void> {
  for (let from = 0; from < addresses.length; from += chunkSize) {
    const chunk = addresses.slice(from, from + chunkSize);
    // Addresses are in the order of the log, so the first day of a chunk bounds the partitions to read, minus one day because the clocks of
    // writers may differ.
    await sql`
      DELETE FROM webhook_attempts
      WHERE shard = ${shard} AND "offset" = ANY(${plainArray(chunk.map(({ offset }) => offset))}::bigint[])
        AND day >= ${chunk[0]?.day ?? null}::date - 1`;
  }
}

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
