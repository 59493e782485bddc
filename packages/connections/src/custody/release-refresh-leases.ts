import type { Executor } from '@pulsewire/database';

/** Frees the tokens that a process was renewing when a backup was made. Only while no process runs. Gives their number. */
export async function releaseRefreshLeases({ sql }: Executor): Promise<number> {
  return (await sql`UPDATE connection_tokens SET lease_until = NULL WHERE lease_until IS NOT NULL RETURNING connection_id`).length;
}
