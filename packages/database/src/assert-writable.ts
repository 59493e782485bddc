import type { Executor } from './client.ts';

/**
 * Readiness check of a process: throws when the database does not respond, or when it can only be read, as a standby or an old primary. Locks
 * and changes nothing, but is refused like a write, so that the driver leaves such a server.
 */
export async function assertWritable({ sql }: Executor): Promise<void> {
  await sql`SELECT FROM calendar WHERE false FOR UPDATE`;
}
