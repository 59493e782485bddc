import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext } from '../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../jobs/job.ts';
import { isOrder } from '../model/of-team.ts';
import { labOrders } from '../model/order-tables.ts';
import { lockOrder } from '../orders/change-status.ts';
import { putOrderFiles } from '../orders/files/order-files.ts';
import { lowLevel } from '../orders/statuses/status.ts';
import type { PlacedOrder } from '../partners/partner.ts';
import { failOrder } from './fail-order.ts';
import { continueKit } from './continue-kit.ts';
import { moveForward } from './move-forward.ts';
import { labRequestOf } from './lab-request.ts';
import { held, nothingToDo, readOrderSubject, type OrderSubject } from './subject.ts';
import type { LowStatus } from '../model/order-status-words.ts';

const waiting = new Set<LowStatus>(['ordered', 'registered']);

async function commitPlaced(tx: Tx, emit: Emit, context: LabsContext, { team, view }: OrderSubject, placed: PlacedOrder): Promise<void> {
  const { teamId, orderId } = view.order;
  const order = await lockOrder(tx, teamId, orderId);
  if (placed.abn !== null) {
    await putOrderFiles(tx, context, orderId, [{ part: 'abn', ...placed.abn }]);
    await run(tx.orm.update(labOrders).set({ hasAbn: true }).where(isOrder(order)));
  }
  if (!waiting.has(lowLevel(order.status))) return;
  // A kit keeps the number that is printed on it.
  const sampleId = order.sampleId ?? placed.sampleId;
  await moveForward(tx, emit, context, team, order, { to: 'requisition_created', through: [], with: { sampleId } });
  await continueKit(tx, emit, context, team, order, view.test.lab.slug);
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const subject = await readOrderSubject(context, job);
  if (subject === 'held') return held;
  if (subject === null || !waiting.has(lowLevel(subject.view.order.status))) return nothingToDo;
  const partner = context.partners.get('lab', job.partner, subject.team);
  const call = { orderId: subject.view.order.orderId, idempotencyKey: job.idempotencyKey, signal };
  const earlier = job.attempts > 1 ? await partner.findOrder(call) : null;
  const placed = earlier ?? (await partner.placeOrder(await labRequestOf(context.database, context, subject.view, call)));
  return { kind: 'done', commit: (tx, emit) => commitPlaced(tx, emit, context, subject, placed) };
}

/** Requests the requisition of an order from its lab. Until the lab has decided, or is connected, the order stays as it is. */
export const placeOrder: JobKind = {
  kind: 'place_order',
  timeoutMs: 20_000,
  attemptsMax: null,
  backoffMs: 2000,
  backoffMaxMs: 3_600_000,
  attempt,
  giveUp: (context, tx, emit, job) => failOrder(tx, emit, context, job),
};
