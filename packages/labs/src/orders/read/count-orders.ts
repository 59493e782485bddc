import { and, count, eq, isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { labOrders } from '../../model/order-tables.ts';

/** Orders of a team, without those of erased users. */
export async function countOrders({ orm }: Executor, teamId: string): Promise<number> {
  const [row] = await run(
    orm
      .select({ orders: count() })
      .from(labOrders)
      .where(and(eq(labOrders.teamId, teamId), isNotNull(labOrders.userId))),
  );
  return row?.orders ?? 0;
}
