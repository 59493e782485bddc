import type { LabsContext } from '../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../jobs/job.ts';
import type { OrderView } from '../orders/read/read-orders.ts';
import { lowLevel } from '../orders/statuses/status.ts';
import type { KitPartner, ShipmentState } from '../partners/partner.ts';
import { failOrder } from './fail-order.ts';
import { applyShipment } from './apply-shipment.ts';
import { addressOf } from './lab-request.ts';
import { held, nothingToDo, readOrderSubject } from './subject.ts';
import type { LowStatus } from '../model/order-status-words.ts';

const unsent = new Set<LowStatus>(['ordered', 'awaiting_registration', 'registered', 'requisition_created']);

function requestOf(
  { order, secrets }: OrderView,
  call: { readonly idempotencyKey: string; readonly signal: AbortSignal },
): Parameters<KitPartner['ship']>[0] {
  const to = secrets.shipping ?? {
    ...secrets.address,
    phone_number: secrets.address?.['phone_number'] ?? secrets.patient?.['phone_number'],
  };
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const name = [secrets.patient?.['first_name'], secrets.patient?.['last_name']].map(text).join(' ');
  return {
    ...call,
    orderId: order.orderId,
    sampleId: order.sampleId,
    recipient: text(to['receiver_name']) || name,
    phoneNumber: text(to['phone_number']),
    address: addressOf(to),
  };
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const subject = await readOrderSubject(context, job);
  if (subject === 'held') return held;
  if (subject === null || !unsent.has(lowLevel(subject.view.order.status))) return nothingToDo;
  const partner = context.partners.get('kits', job.partner, subject.team);
  const call = { idempotencyKey: job.idempotencyKey, signal };
  const earlier = job.attempts > 1 ? await partner.findShipment({ ...call, orderId: subject.view.order.orderId }) : null;
  const shipped: ShipmentState = earlier ?? (await partner.ship(requestOf(subject.view, call)));
  return {
    kind: 'done',
    commit: async (tx, emit) => void (await applyShipment(tx, emit, context, subject.team, job.partner, shipped)),
  };
}

/** Has a test kit sent to its recipient. */
export const shipKit: JobKind = {
  kind: 'ship_kit',
  timeoutMs: 20_000,
  attemptsMax: null,
  backoffMs: 2000,
  backoffMaxMs: 3_600_000,
  attempt,
  giveUp: (context, tx, emit, job) => failOrder(tx, emit, context, job),
};
