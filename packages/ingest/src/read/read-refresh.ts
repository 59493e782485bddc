import type { Clock } from '@pulsewire/kernel';
import { plainArray, type Executor } from '@pulsewire/database';

export type RefreshState = 'refreshed' | 'in_progress' | 'failed';

/**
 * The states of a refresh's windows, by id. A window that failed and will be retried counts as failed, as does a window of a removed
 * connection.
 */
export async function readRefresh(
  { sql }: Executor,
  clock: Clock,
  windowIds: readonly string[],
): Promise<ReadonlyMap<string, RefreshState>> {
  const rows = await sql<{ window_id: string; state: string; is_due: boolean }[]>`
    SELECT window_id, state, due_at <= ${clock.now().toISOString()} AS is_due FROM pull_windows
    WHERE window_id = ANY(${plainArray(windowIds)}::bigint[])`;
  const states = rows.map(({ window_id: id, state, is_due: isDue }): [string, RefreshState] => {
    if (state === 'done') return [id, 'refreshed'];
    const isOver = state === 'given_up' || (state === 'failed' && !isDue);
    return [id, isOver ? 'failed' : 'in_progress'];
  });
  const known = new Map(states);
  return new Map(windowIds.map((id) => [id, known.get(id) ?? 'failed']));
}
