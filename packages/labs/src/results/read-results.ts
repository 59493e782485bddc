import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import type { LabsContext } from '../context/context.ts';
import { notFound } from '../model/errors.ts';
import { labOrders, labResults } from '../model/order-tables.ts';
import { getOrder } from '../orders/read/read-orders.ts';
import { readTransaction, type Transaction } from '../orders/read/transactions.ts';
import { combineResults } from './combine-results.ts';
import { openResults, type OrderResults } from '../model/results.ts';

export interface ResultsView {
  readonly results: OrderResults;
  /** The samples of the combined results; one for each order. */
  readonly samples: readonly OrderResults[];
  readonly transaction: Transaction;
  readonly userId: string;
}

const missing = () => notFound('results_not_found', 'There are no results yet');

async function find({ orm }: Executor, { cipher }: Pick<LabsContext, 'cipher'>, teamId: string, orderIds: readonly string[]) {
  const mine = and(eq(labOrders.teamId, teamId), isNotNull(labOrders.userId), inArray(labOrders.orderId, [...orderIds]));
  const rows = await run(
    orm
      .select({ orderId: labOrders.orderId, userId: labOrders.userId, details: labResults.details })
      .from(labResults)
      .innerJoin(labOrders, eq(labOrders.orderId, labResults.orderId))
      .where(mine)
      .orderBy(asc(labOrders.createdAt), asc(labOrders.orderId)),
  );
  return rows.map(({ orderId, userId, details }) => ({ userId: userId ?? '', results: openResults(cipher, orderId, details) }));
}

/** Throws AppErrors `order_not_found` and `results_not_found`. */
export async function readResults(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  teamId: string,
  orderId: string,
): Promise<ResultsView> {
  const { order, transaction } = await getOrder(executor, context, teamId, orderId);
  const [found] = await find(executor, context, teamId, [orderId]);
  if (!found) throw missing();
  return { results: found.results, samples: [found.results], transaction, userId: order.userId };
}

/**
 * The combined results of an order and the orders that replace it, with the latest of each analyte. Throws AppErrors
 * `order_transaction_not_found` and `results_not_found`.
 */
export async function readTransactionResults(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  teamId: string,
  transactionId: string,
): Promise<ResultsView> {
  const transaction = await readTransaction(executor, teamId, transactionId);
  const found = await find(
    executor,
    context,
    teamId,
    transaction.orders.map(({ orderId }) => orderId),
  );
  const samples = found.map(({ results }) => results);
  const results = combineResults(samples);
  if (results === null) throw missing();
  return { results, samples, transaction, userId: found[0]?.userId ?? '' };
}
