import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';

/** Deletes expired requests, at most `limit`, and returns how many. */
export async function expireEmailLinks({ sql }: Database, clock: Clock, limit: number): Promise<number> {
  const deleted = await sql`
    DELETE FROM email_links WHERE link_id IN (
      SELECT link_id FROM email_links WHERE expires_at <= ${clock.now().toISOString()} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  return deleted.count;
}
