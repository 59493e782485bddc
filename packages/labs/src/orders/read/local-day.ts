import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { findZipArea } from '../../areas/zip-area.ts';
import type { LabsContext } from '../../context/context.ts';
import { isOrder } from '../../model/of-team.ts';
import { labOrderDetails, labOrders } from '../../model/order-tables.ts';
import { localDayOf } from '../../partners/kit/local-time.ts';
import { openOrder } from '../sealed/order-secrets.ts';

/** The day, `YYYY-MM-DD`, of an instant in the zone of a ZIP code; in UTC when the code is unknown. */
export async function localDayAt(executor: Executor, zip: unknown, at: Date): Promise<string> {
  const area = typeof zip === 'string' ? await findZipArea(executor, zip) : null;
  return localDayOf(at, area?.ianaTimezone ?? 'UTC');
}

/** The day, `YYYY-MM-DD`, of an instant where the order's patient lives, or where its kit was sent; in UTC when neither is known. */
export async function localDayOfOrder(
  executor: Executor,
  { cipher }: Pick<LabsContext, 'cipher'>,
  order: { readonly teamId: string; readonly orderId: string },
  at: Date,
): Promise<string> {
  const [row] = await run(
    executor.orm
      .select({ details: labOrderDetails.details })
      .from(labOrders)
      .innerJoin(labOrderDetails, eq(labOrderDetails.orderId, labOrders.orderId))
      .where(isOrder(order)),
  );
  const secrets = row && openOrder(cipher, order.orderId, row.details);
  return localDayAt(executor, secrets?.address?.['zip'] ?? secrets?.shipping?.['zip'], at);
}
