import { randomUUID } from 'node:crypto';
import { and, count, eq } from 'drizzle-orm';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam, LabUser } from '../context/context.ts';
import type { CollectionMethod } from '../model/catalogue.ts';
import { refused } from '../model/errors.ts';
import { labOrders } from '../model/order-tables.ts';
import { emitOrder } from './emit-order.ts';
import { insertOrder, requestPlacement } from './insert-order.ts';
import { putOrderFiles, readOrderFiles } from './files/order-files.ts';
import { getOrder, type OrderRow } from './read/read-orders.ts';
import { fullStatus } from './statuses/status.ts';

/** Inserts the order for a new sample that replaces a lost one; at most one per transaction. */
export async function insertRedraw(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  { teamId, isSandbox }: LabTeam,
  lost: OrderRow,
  user: LabUser,
): Promise<void> {
  const former = and(eq(labOrders.teamId, teamId), eq(labOrders.transactionId, lost.transactionId), eq(labOrders.origin, 'redraw'));
  const [redraws] = await run(tx.orm.select({ all: count() }).from(labOrders).where(former));
  if ((redraws?.all ?? 0) > 0) throw refused('transition_not_allowed', 'The transaction already has a redraw');
  const { order, secrets, test } = await getOrder(tx, context, teamId, lost.orderId);
  const now = context.clock.now();
  const orderId = randomUUID();
  const fresh = {
    interpretation: null,
    hasMissingResults: null,
    sampleId: null,
    hasAbn: false,
    labNoticedAt: null,
    collectedOn: null,
    activateBy: null,
    wasScheduled: false,
  };
  const status = fullStatus(order.method as CollectionMethod, 'ordered');
  const origin = { orderId, parentId: order.orderId, origin: 'redraw' };
  await insertOrder(tx, context, { ...order, ...fresh, ...origin, status, statusAt: now, createdAt: now, updatedAt: now }, secrets);
  const images = ['physician_signature', 'insurance_front', 'insurance_back', 'patient_signature'] as const;
  await putOrderFiles(tx, context, orderId, await readOrderFiles(tx, context, order.orderId, images));
  if (!isSandbox) await requestPlacement(tx, { orderId, teamId, labSlug: test.lab.slug }, { dueAt: null, now });
  await emitOrder(tx, emit, context, { teamId, orderId, user, isNew: true });
}
