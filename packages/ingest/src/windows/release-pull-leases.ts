import type { Executor } from '@pulsewire/database';

/** Frees the connections that a worker was pulling when a backup was made. Only while no process runs. Gives their number. */
export async function releasePullLeases({ sql }: Executor): Promise<number> {
  return (await sql`UPDATE pull_plans SET lease_until = NULL WHERE lease_until IS NOT NULL RETURNING connection_id`).length;
}
