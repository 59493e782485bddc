import { AppError } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { RunningWindow } from './claim-window.ts';

/**
 * Locks the window for this transaction. Throws AppError `window_lost` when another worker has taken it over or the connection is gone: the
 * caller must write nothing.
 */
export async function lockWindow({ sql }: Tx, window: RunningWindow): Promise<void> {
  const [row] = await sql`
    SELECT 1 FROM pull_windows WHERE window_id = ${window.windowId} AND state = 'running' AND run_epoch = ${window.epoch} FOR UPDATE`;
  if (!row) throw new AppError({ code: 'window_lost', kind: 'conflict', message: 'Another worker has taken over this window' });
}
