import type { EndpointContext } from './context.ts';
import { findEndpointRow } from './row.ts';

/** Messages brought back in one statement; there are as many statements as it takes. */
const batchMax = 10_000;

/**
 * Sends again what failed at an endpoint since a time: messages that were given up start a new schedule, and those that wait for
 * their next attempt get it now. What has arrived meanwhile stays as it is, and so does what
 * has no body any more. Gives the number of messages.
 * Throws AppError `endpoint_not_found`.
 */
export async function recoverSince({ database }: EndpointContext, teamId: string, endpointId: string, since: Date): Promise<number> {
  const { sql } = database;
  await findEndpointRow(database, teamId, endpointId);
  const from = since.toISOString();
  let recovered = 0;
  for (;;) {
    const result = await sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
      SELECT DISTINCT ON (a.event_id) a.endpoint_id, a.event_id, a.shard, a."offset", a.log_day, 0, now()
      FROM webhook_attempts a
      WHERE a.endpoint_id = ${endpointId} AND a.attempted_at >= ${from} AND a.day >= (${from}::timestamptz AT TIME ZONE 'UTC')::date
        AND a.outcome > 1 AND a.outcome = 3
        AND NOT EXISTS (
          SELECT FROM webhook_attempts d
          WHERE d.endpoint_id = a.endpoint_id AND d.attempted_at >= ${from} AND d.event_id = a.event_id
            AND (d.outcome = 1 OR d.error IN ('body_unreadable', 'event_gone', 'erased')))
        AND NOT EXISTS (SELECT FROM webhook_pending p WHERE p.endpoint_id = a.endpoint_id AND p.event_id = a.event_id)
      ORDER BY a.event_id LIMIT ${batchMax}
      ON CONFLICT DO NOTHING`;
    recovered += result.count;
    if (result.count < batchMax) break;
  }
  const waiting = await sql`
    UPDATE webhook_pending SET due_at = now()
    WHERE endpoint_id = ${endpointId} AND attempts > 0 AND due_at > now() AND lease_owner IS NULL
      AND event_id IN (SELECT event_id FROM webhook_attempts WHERE endpoint_id = ${endpointId} AND attempted_at >= ${from} AND outcome > 1)`;
  return recovered + waiting.count;
}
