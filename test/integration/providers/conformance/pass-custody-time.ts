import type { Database } from '@pulsewire/database';

/** Custody schedules renewals by the clock of the database. Where a test advances its own clock, those times move back instead. */
export async function passCustodyTime({ sql }: Database, ms: number): Promise<void> {
  const by = `${ms} milliseconds`;
  await sql`
    UPDATE connection_tokens SET next_refresh_at = next_refresh_at - ${by}::interval, unclear_since = unclear_since - ${by}::interval,
      refresh_sent_at = refresh_sent_at - ${by}::interval, setback_at = setback_at - ${by}::interval
    WHERE failures > 0 OR refresh_sent_at IS NOT NULL`;
}
