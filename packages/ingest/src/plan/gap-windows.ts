import { addDays } from '@pulsewire/kernel';
import type { PullConnection } from '@pulsewire/connections';
import { type Tx } from '@pulsewire/database';
import { localDay } from '../model/local-day.ts';
import { addWindows, type RankedPull } from '../window/add-windows.ts';
import { cutWindows } from './cut-windows.ts';
import { runsIn } from './pulls-of.ts';

/** A device may not have synced for days when the consent ended: what it measured then is never pushed. The same number of days as a poll reads again. */
const unsyncedDays = 5;

/**
 * Plans the days without a consent for pulls whose new data is pushed: the provider pushes nothing of them, and no live window covers
 * them. No completed history is reported for them.
 */
export async function addGapWindows(
  tx: Tx,
  connection: PullConnection,
  pulls: readonly RankedPull[],
  stoppedAt: Date,
  now: Date,
): Promise<void> {
  const today = localDay(connection, now);
  const pushed = pulls.filter((pull) => runsIn(pull, 'backfill') && !runsIn(pull, 'live'));
  const plans = pushed.map((pull) => {
    const oldest = addDays(today, -pull.backfillDays);
    // One day more, because a night or a local day begins on the UTC day before.
    const wanted = addDays(localDay(connection, stoppedAt), -Math.max(pull.rereadDays, unsyncedDays) - 1);
    const range = { startDate: wanted < oldest ? oldest : wanted, endDate: addDays(today, -1) };
    return { pull, windows: cutWindows(range, pull.chunkDays, connection) };
  });
  await addWindows(tx, connection, 'backfill', plans, now);
}
