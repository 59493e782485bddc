import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import type { AccountRow } from '../../accounts/lab-accounts.ts';
import type { LabsContext } from '../../context/context.ts';
import { labAccounts } from '../../model/catalogue-tables.ts';
import { notFound } from '../../model/errors.ts';
import { readOrderFiles, type OrderFile } from '../files/order-files.ts';
import { getOrder, type OrderView } from './read-orders.ts';
import { lowLevel } from '../statuses/status.ts';

/** An order accepted by its lab, with the contents of its requisition. */
export interface Requisition {
  readonly view: OrderView;
  readonly account: AccountRow | null;
  readonly createdAt: Date;
  /** The physician's signature; null: none was sent. */
  readonly signature: OrderFile | null;
}

/** Throws AppErrors `order_not_found`, and `requisition_not_found` for imported orders and those that the lab has not accepted yet. */
export async function readRequisition(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  teamId: string,
  orderId: string,
): Promise<Requisition> {
  const view = await getOrder(executor, context, teamId, orderId);
  const accepted = view.events.find(({ status }) => lowLevel(status) === 'requisition_created');
  if (!accepted) throw notFound('requisition_not_found', 'The order has no requisition');
  const { labAccountId } = view.order;
  const [account] =
    labAccountId === null ? [] : await run(executor.orm.select().from(labAccounts).where(eq(labAccounts.labAccountId, labAccountId)));
  const [signature] = await readOrderFiles(executor, context, orderId, ['physician_signature']);
  return { view, account: account ?? null, createdAt: accepted.createdAt, signature: signature ?? null };
}
