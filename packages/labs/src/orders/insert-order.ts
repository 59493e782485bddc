import { run, type Tx } from '@pulsewire/database';
import type { LabsContext } from '../context/context.ts';
import { putJob } from '../jobs/job-queue.ts';
import { refused } from '../model/errors.ts';
import { labOrderDetails, labOrderEvents, labOrders } from '../model/order-tables.ts';
import { sealOrder, type OrderSecrets } from './sealed/order-secrets.ts';

/** Writes an order with its first status. Throws AppError `sample_id_taken` when the lab already has an order for this sample. */
export async function insertOrder(
  tx: Tx,
  { cipher }: Pick<LabsContext, 'cipher'>,
  row: typeof labOrders.$inferInsert,
  secrets: OrderSecrets,
): Promise<void> {
  const { orderId, createdAt } = row;
  const inserted = await run(tx.orm.insert(labOrders).values(row).onConflictDoNothing().returning({ orderId: labOrders.orderId }));
  if (inserted.length === 0) throw refused('sample_id_taken', 'An order with this sample_id already exists at the lab');
  await run(tx.orm.insert(labOrderDetails).values({ orderId, details: sealOrder(cipher, orderId, secrets) }));
  await run(tx.orm.insert(labOrderEvents).values({ orderId, status: row.status, createdAt }));
}

/** Enqueues the request for a requisition, for when it is due; null: at once. */
export async function requestPlacement(
  tx: Tx,
  order: { readonly orderId: string; readonly teamId: string; readonly labSlug: string },
  { dueAt, now }: { readonly dueAt: Date | null; readonly now: Date },
): Promise<void> {
  const { orderId, teamId, labSlug } = order;
  const job = { teamId, partner: labSlug, kind: 'place_order', orderId, idempotencyKey: orderId };
  await putJob(tx, dueAt === null ? job : { ...job, dueAt }, now);
}
