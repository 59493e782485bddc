import { and, eq, isNull } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { putJob } from '../jobs/job-queue.ts';
import { labPartnerJobs } from '../model/job-tables.ts';
import { getOrder } from './read/read-orders.ts';
import { lowLevel } from './statuses/status.ts';

const { jobId, orderId: ofOrder, appointmentId, kind, attempts } = labPartnerJobs;

/** Calls that order something from the lab or the shipping company. */
export async function readOrderCalls({ orm }: Tx, { teamId }: LabTeam, orderId: string) {
  const calls = and(eq(labPartnerJobs.teamId, teamId), eq(ofOrder, orderId), isNull(appointmentId));
  return run(orm.select({ jobId, kind, attempts }).from(labPartnerJobs).where(calls));
}

/** Enqueues the removal of a cancelled order at the lab and the shipping company that have it, or may have it because of these calls. */
export async function putWithdrawals(
  tx: Tx,
  context: LabsContext,
  team: LabTeam,
  orderId: string,
  calls: Awaited<ReturnType<typeof readOrderCalls>>,
): Promise<void> {
  const { teamId } = team;
  const wasTried = (name: string) => calls.some((call) => call.kind === name && call.attempts > 0);
  const { events, shipment, test } = await getOrder(tx, context, teamId, orderId);
  const isPlaced = !team.isSandbox && events.some(({ status }) => lowLevel(status) === 'requisition_created');
  const now = context.clock.now();
  const job = { teamId, partner: test.lab.slug, orderId, idempotencyKey: orderId };
  if (isPlaced || wasTried('place_order')) await putJob(tx, { ...job, kind: 'withdraw_order' }, now);
  if ((shipment !== null && !team.isSandbox) || wasTried('ship_kit')) await putJob(tx, { ...job, kind: 'withdraw_kit' }, now);
}
