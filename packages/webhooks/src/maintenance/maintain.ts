import { addDays } from '@pulsewire/kernel';
import { lt, sql as fragment } from 'drizzle-orm';
import { dropDailyPartitions, ensureDailyPartitions, run, type Database } from '@pulsewire/database';
import { webhookQuarantine, webhookRecorders, webhookTestEvents } from '../model/tables.ts';

/** A recorder that wrote nothing for this long has no batch left to retry. */
const recorderKeepDays = 7;
/** Partitions are created this many days ahead, so that maintenance may be down for a while. */
const daysAhead = 7;

/** Creates the partitions of attempts from `today` on. Safe to run from several processes. */
export function ensureAttemptPartitions(database: Database, today: string): Promise<void> {
  return ensureDailyPartitions(database, 'webhook_attempts', { from: today, days: daysAhead });
}

/**
 * Creates upcoming partitions of attempts and drops those older than `keepDays`. Removes waiting deliveries of deleted endpoints, and
 * replays, test events and quarantined deliveries older than that; a replay stays while one of its deliveries waits. Returns the names of
 * the dropped partitions.
 */
export async function maintainAttempts(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  const { sql, orm } = database;
  const oldestKept = addDays(options.today, -options.keepDays);
  await ensureAttemptPartitions(database, options.today);
  // Rows that were being written while their endpoint was deleted.
  await sql`
    WITH gone AS MATERIALIZED (
      SELECT p.endpoint_id, p.event_id FROM webhook_pending p
      WHERE NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.endpoint_id = p.endpoint_id) FOR UPDATE SKIP LOCKED
    )
    DELETE FROM webhook_pending p USING gone g WHERE p.endpoint_id = g.endpoint_id AND p.event_id = g.event_id`;
  // Few rows, created by operators and teams, so these tables are not partitioned.
  await sql`
    DELETE FROM webhook_replays r WHERE ended_at < ${oldestKept}::timestamptz
      AND NOT EXISTS (SELECT FROM webhook_pending p WHERE p.replay_id = r.replay_id)`;
  await run(orm.delete(webhookTestEvents).where(lt(webhookTestEvents.createdAt, oldestKept)));
  await run(orm.delete(webhookQuarantine).where(lt(webhookQuarantine.quarantinedAt, oldestKept)));
  await run(
    orm.delete(webhookRecorders).where(lt(webhookRecorders.recordedAt, fragment`now() - make_interval(days => ${recorderKeepDays})`)),
  );
  return dropDailyPartitions(database, 'webhook_attempts', oldestKept);
}
