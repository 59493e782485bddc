import type { LabsContext, LabTeam } from '../context/context.ts';
import type { Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import { changeStatus, progressOf, type StatusChange } from '../orders/change-status.ts';
import type { OrderRow } from '../orders/read/read-orders.ts';
import { pathThrough } from '../orders/statuses/status.ts';
import type { LowStatus } from '../model/order-status-words.ts';

type Locked = OrderRow & { readonly userId: string };

/**
 * Moves a locked order to a status, with an event for each status on the way, which must be in `through`. Returns whether it has the status
 * now. Partners skip statuses, report late and repeat themselves: without such a way the order is unchanged.
 */
export async function moveForward(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  team: LabTeam,
  locked: Locked,
  change: StatusChange & { readonly through: readonly LowStatus[] },
): Promise<boolean> {
  const { to, through, detail, with: columns } = change;
  const path = pathThrough(progressOf(locked), to, through);
  if (path === null) return false;
  let order = locked;
  for (const next of path)
    ({ order } = await changeStatus(tx, emit, context, team, order, {
      to: next,
      ...(columns && { with: columns }),
      ...(next === to && detail && { detail }),
    }));
  return true;
}
