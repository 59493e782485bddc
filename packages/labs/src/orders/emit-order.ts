import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import type { LabsContext, LabUser } from '../context/context.ts';
import { getOrder, type OrderView } from './read/read-orders.ts';
import { renderOrder } from './read/render-order.ts';

/** Emits an order as it is now. */
export function emitOrderView(emit: Emit, view: OrderView, user: LabUser, isNew: boolean): void {
  const eventType = isNew ? 'labtest.order.created' : 'labtest.order.updated';
  emit(jsonEvent({ eventType, teamId: view.order.teamId, ...user, data: renderOrder(view) }));
}

/** Emits the order's state in the transaction, and returns it. */
export async function emitOrder(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  event: { readonly teamId: string; readonly orderId: string; readonly user: LabUser; readonly isNew: boolean },
): Promise<OrderView> {
  const { teamId, orderId, user, isNew } = event;
  const view = await getOrder(tx, context, teamId, orderId);
  emitOrderView(emit, view, user, isNew);
  return view;
}
