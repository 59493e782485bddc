import { and, asc, eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { isAmong } from '../../model/is-among.ts';
import { notFound } from '../../model/errors.ts';
import { labOrders } from '../../model/order-tables.ts';
import { highLevel, isFinal, lowLevel } from '../statuses/status.ts';
import type { LowStatus, OrderStatus } from '../../model/order-status-words.ts';

interface OrderOfTransaction {
  readonly orderId: string;
  readonly lowLevelStatus: LowStatus;
  readonly statusAt: Date;
  readonly origin: string;
  readonly parentId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An order with the redraws and recreations that replace it. */
export interface Transaction {
  readonly transactionId: string;
  /** Null after the user was erased. */
  readonly userId: string | null;
  readonly status: 'active' | 'completed' | 'cancelled';
  /** Oldest first. */
  readonly orders: readonly OrderOfTransaction[];
}

function statusOf(statuses: readonly OrderStatus[]): Transaction['status'] {
  if (statuses.every((status) => highLevel(status) === 'cancelled')) return 'cancelled';
  return statuses.every(isFinal) ? 'completed' : 'active';
}

/** Transactions of the team by id. */
export async function findTransactions(
  { orm }: Executor,
  teamId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Transaction>> {
  if (ids.length === 0) return new Map();
  const { orderId, status, statusAt, origin, parentId, createdAt, updatedAt, transactionId, userId } = labOrders;
  const rows = await run(
    orm
      .select({ orderId, status, statusAt, origin, parentId, createdAt, updatedAt, transactionId, userId })
      .from(labOrders)
      .where(and(eq(labOrders.teamId, teamId), isAmong(transactionId, ids)))
      .orderBy(asc(createdAt), asc(orderId)),
  );
  return new Map(
    [...Map.groupBy(rows, (row) => row.transactionId)].map(([id, orders]) => [
      id,
      {
        transactionId: id,
        userId: orders[0]?.userId ?? null,
        status: statusOf(orders.map((order) => order.status)),
        orders: orders.map(({ status: full, transactionId: _, userId: _user, ...order }) => ({ ...order, lowLevelStatus: lowLevel(full) })),
      },
    ]),
  );
}

/** Throws AppError `order_transaction_not_found`. */
export async function readTransaction(executor: Executor, teamId: string, transactionId: string): Promise<Transaction> {
  const transaction = (await findTransactions(executor, teamId, [transactionId])).get(transactionId);
  if (!transaction) throw notFound('order_transaction_not_found', 'Order transaction not found');
  return transaction;
}
