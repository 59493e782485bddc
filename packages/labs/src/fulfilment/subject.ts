import { errorCode } from '@pulsewire/kernel';
import type { LabsContext, LabTeam } from '../context/context.ts';
import type { JobOutcome, PartnerJob } from '../jobs/job.ts';
import { getOrder, type OrderView } from '../orders/read/read-orders.ts';

/** The current order of a call, and its team. */
export interface OrderSubject {
  readonly view: OrderView;
  readonly team: LabTeam;
}

export const nothingToDo: JobOutcome = { kind: 'done', commit: async () => {} };

/** How long a call waits while its user's deletion can be undone. */
const heldMs = 3_600_000;
export const held: JobOutcome = { kind: 'later', delayMs: heldMs };

const none = new Set(['order_not_found', 'user_not_found']);

/** Null when the order was erased; `held` while its user is deleted. */
export async function readOrderSubject(context: LabsContext, { teamId, orderId }: PartnerJob): Promise<OrderSubject | 'held' | null> {
  const { database, owners } = context;
  try {
    const team = await owners.findTeam(database, teamId);
    if (orderId === null || team === null) return null;
    const view = await getOrder(database, context, teamId, orderId);
    await owners.findUser(database, teamId, view.order.userId);
    return { view, team };
  } catch (error) {
    if (errorCode(error) === 'user_deleted') return 'held';
    if (none.has(errorCode(error))) return null;
    throw error;
  }
}
