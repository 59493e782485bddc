import type { Executor } from '@pulsewire/database';

/**
 * Whether a connection has delivered its first complete pull: each pull that was planned for live reading has ended at least one window,
 * and at least one of them was read.
 */
export async function hasReadLive({ sql }: Executor, connectionId: string): Promise<boolean> {
  const [row] = await sql<{ is_read: boolean | null }[]>`
    SELECT bool_or(is_done) AND bool_and(is_ended) AS is_read FROM (
      SELECT bool_or(state = 'done') AS is_done, bool_or(state IN ('done', 'given_up')) AS is_ended
      FROM pull_windows WHERE connection_id = ${connectionId} AND lane = 'live' GROUP BY pull
    ) pulls`;
  return row?.is_read === true;
}
