import type { Executor } from '@pulsewire/database';

/** Forgets the consumers that were running when a backup was made, so that their shards are free at once. Positions stay. Gives their number. */
export async function dropMembers({ sql }: Executor): Promise<number> {
  return (await sql`DELETE FROM log_members RETURNING 1`).length;
}
