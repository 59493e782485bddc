import type { Database } from '@pulsewire/database';

/** Rows that are corrected in one statement. */
const correctedMax = 10_000;
const slackMs = 1000;

/**
 * Corrects times written before the database's clock stepped back: a delivery waits from now on for its original wait, and a lease longer
 * than two lease times is shortened to one. Returns the number of corrected rows.
 */
export async function correctTimes(
  database: Database,
  { leaseMs, signal }: { readonly leaseMs: number; readonly signal: AbortSignal },
): Promise<number> {
  let corrected = await endLeases(database, leaseMs);
  while (!signal.aborted) {
    const due = await correctDue(database);
    corrected += due;
    if (due < correctedMax) break;
  }
  return corrected;
}

/** Locked rows are being written by another process with a correct time. */
async function correctDue({ sql }: Database): Promise<number> {
  const due = await sql`
    WITH ahead AS MATERIALIZED (
      SELECT endpoint_id, event_id FROM webhook_pending
      WHERE due_at < 'infinity' AND due_from > now() + ${slackMs}::int * interval '1 ms'
      LIMIT ${correctedMax} FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_pending w SET due_at = clock_timestamp() + (w.due_at - w.due_from)
    FROM ahead WHERE w.endpoint_id = ahead.endpoint_id AND w.event_id = ahead.event_id`;
  return due.count;
}

async function endLeases({ sql }: Database, leaseMs: number): Promise<number> {
  const leased = await sql`
    WITH late AS MATERIALIZED (
      SELECT endpoint_id, event_id FROM webhook_pending
      WHERE lease_owner IS NOT NULL AND lease_until > clock_timestamp() + 2 * ${leaseMs}::int * interval '1 ms' FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_pending w SET lease_until = clock_timestamp() + ${leaseMs}::int * interval '1 ms'
    FROM late WHERE w.endpoint_id = late.endpoint_id AND w.event_id = late.event_id`;
  return leased.count;
}
