import { eq } from 'drizzle-orm';
import { AppError, utcDay } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { labOrderDetails, labOrders } from '../../model/order-tables.ts';
import { openOrder } from '../sealed/order-secrets.ts';
import { readTeamKey } from '../sealed/team-key.ts';
import { findOrderPage, wholeCondition, type OrderScope, type PageOfIds } from './find-page.ts';
import type { OrderFilter } from './order-conditions.ts';
import { readOrders, type OrderView } from './read-orders.ts';

export interface OrderPage {
  readonly orders: readonly OrderView[];
  /** Null when more orders match than are counted. */
  readonly total: number | null;
}

/** Names are sealed, so sorting by name decrypts every one. */
const sortedByNameMax = 5000;

async function pageSortedByName(
  { orm }: Executor,
  { cipher }: LabsContext,
  scope: OrderScope,
  filter: OrderFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<PageOfIds> {
  const rows = await run(
    orm
      .select({ orderId: labOrders.orderId, details: labOrderDetails.details })
      .from(labOrders)
      .innerJoin(labOrderDetails, eq(labOrderDetails.orderId, labOrders.orderId))
      .where(wholeCondition(scope, filter))
      .limit(sortedByNameMax + 1),
  );
  if (rows.length > sortedByNameMax)
    throw new AppError({
      code: 'too_many_to_sort',
      kind: 'invalid',
      message: `At most ${sortedByNameMax} orders can be sorted by patient_name; narrow the filter`,
    });
  const named = rows.map(({ orderId, details }) => {
    const { patient, shipping } = openOrder(cipher, orderId, details);
    const parts = patient ? [patient['last_name'], patient['first_name']] : [shipping?.['receiver_name']];
    const name = parts.filter((part) => typeof part === 'string').join(' ');
    return { orderId, name: name.toLowerCase() };
  });
  named.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.orderId < b.orderId ? -1 : 1));
  const ordered = filter.direction === 'desc' ? named.toReversed() : named;
  return { ids: ordered.slice((page - 1) * size, page * size).map(({ orderId }) => orderId), total: rows.length };
}

/** A page of a team's orders, by default newest first. */
export async function listOrders(
  context: LabsContext,
  teamId: string,
  filter: OrderFilter,
  slice: { readonly page: number; readonly size: number },
): Promise<OrderPage> {
  const { database, clock } = context;
  const needsKey = filter.search !== undefined || filter.patientName !== undefined || filter.recipientName !== undefined;
  const key = needsKey ? await readTeamKey(database, context, teamId) : null;
  const scope = { teamId, key, today: utcDay(clock.now()) };
  const { ids, total } =
    filter.orderKey === 'patient_name'
      ? await pageSortedByName(database, context, scope, filter, slice)
      : await findOrderPage(database, scope, filter, slice);
  return { orders: await readOrders(database, context, teamId, ids), total };
}
