import { plainArray, type Database } from '@pulsewire/database';
import type { Endpoint } from '../route.ts';
import { longestWaitMs } from '../schedule.ts';

/** Rows of one endpoint that are corrected in one statement; the next look corrects more. */
const correctedMax = 10_000;
/** Clocks of processes and database differ. */
const slackMs = 60_000;

/**
 * What was written while the database's clock was ahead lies too far in its future now. A delivery that is due later than any wait of
 * its endpoint allows becomes due at once, and a lease that lasts twice as long as any ends after one lease. Gives how many rows there were.
 */
export async function correctTimes(
  { sql }: Database,
  endpoints: readonly Endpoint[],
  settings: { readonly scheduleMs: readonly number[]; readonly leaseMs: number },
): Promise<number> {
  if (endpoints.length === 0) return 0;
  const waits = endpoints.map((endpoint) => Math.ceil(longestWaitMs(endpoint.scheduleMs ?? settings.scheduleMs)) + slackMs);
  const due = await sql`
    WITH late AS MATERIALIZED (
      SELECT p.endpoint_id, p.event_id
      FROM unnest(${plainArray(endpoints.map(({ endpointId }) => endpointId))}::uuid[], ${plainArray(waits)}::bigint[]) AS a(endpoint_id, wait_ms)
      CROSS JOIN unnest(ARRAY[0, 1]::smallint[]) AS l(lane)
      CROSS JOIN LATERAL (
        SELECT w.endpoint_id, w.event_id FROM webhook_pending w
        WHERE w.endpoint_id = a.endpoint_id AND w.lane = l.lane AND w.due_at > now() + a.wait_ms * interval '1 ms' AND w.due_at < 'infinity'
        LIMIT ${correctedMax} FOR UPDATE SKIP LOCKED
      ) p
    )
    UPDATE webhook_pending w SET due_at = clock_timestamp()
    FROM late WHERE w.endpoint_id = late.endpoint_id AND w.event_id = late.event_id`;
  const leased = await sql`
    WITH late AS MATERIALIZED (
      SELECT endpoint_id, event_id FROM webhook_pending
      WHERE lease_owner IS NOT NULL AND lease_until > clock_timestamp() + 2 * ${settings.leaseMs}::int * interval '1 ms' FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_pending w SET lease_until = clock_timestamp() + ${settings.leaseMs}::int * interval '1 ms'
    FROM late WHERE w.endpoint_id = late.endpoint_id AND w.event_id = late.event_id`;
  return due.count + leased.count;
}
