import { and, eq, isNull } from 'drizzle-orm';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { putJob } from '../jobs/put-job.ts';
import { labPartnerJobs } from '../model/appointment-tables.ts';
import { changeStatus, lockOrder } from './change-status.ts';
import { getOrder } from './read/read-orders.ts';
import { lowLevel } from './statuses/status.ts';

/**
 * Cancels an order, without its appointment, and enqueues its removal at the lab and the shipping company that may have it. Throws AppErrors
 * `order_not_found` and `transition_not_allowed`.
 */
export async function cancelOrderAlone(tx: Tx, emit: Emit, context: LabsContext, team: LabTeam, orderId: string): Promise<void> {
  const { teamId } = team;
  const order = await lockOrder(tx, teamId, orderId);
  await changeStatus(tx, emit, context, team, order, { to: 'cancelled' });
  const ofOrder = and(eq(labPartnerJobs.orderId, orderId), isNull(labPartnerJobs.appointmentId));
  const { kind, attempts } = labPartnerJobs;
  const ended = await run(tx.orm.delete(labPartnerJobs).where(ofOrder).returning({ kind, attempts }));
  const wasTried = (name: string) => ended.some((job) => job.kind === name && job.attempts > 0);
  const { events, shipment, test } = await getOrder(tx, context, teamId, orderId);
  const isPlaced = !team.isSandbox && events.some(({ status }) => lowLevel(status) === 'requisition_created');
  const now = context.clock.now();
  const job = { teamId, partner: test.lab.slug, orderId, idempotencyKey: orderId, dueAt: now };
  if (isPlaced || wasTried('place_order')) await putJob(tx, { ...job, kind: 'withdraw_order' }, now);
  if ((shipment !== null && !team.isSandbox) || wasTried('ship_kit')) await putJob(tx, { ...job, kind: 'withdraw_kit' }, now);
}
