import { and, arrayContains, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import { AppError, isUuid } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { labOrders } from '../../model/order-tables.ts';
import { labOrderDetails } from '../../model/order-tables.ts';
import { birthDateHash, searchHashes } from '../sealed/name-hashes.ts';
import { openOrder } from '../sealed/order-secrets.ts';
import { readOrders, type OrderView } from './read-orders.ts';
import { statusesOf } from '../statuses/status.ts';
import { readTeamKey } from '../sealed/team-key.ts';

export interface OrderFilter {
  readonly search?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly updatedFrom?: Date | undefined;
  readonly updatedTo?: Date | undefined;
  /** Low-level. */
  readonly statuses?: readonly string[] | undefined;
  readonly methods?: readonly string[] | undefined;
  readonly isCritical?: boolean | undefined;
  readonly interpretation?: string | undefined;
  readonly activation?: readonly ('current' | 'scheduled')[] | undefined;
  readonly userId?: string | undefined;
  readonly patientName?: string | undefined;
  readonly recipientName?: string | undefined;
  readonly orderIds?: readonly string[] | undefined;
  readonly transactionId?: string | undefined;
  readonly orderKey?: 'created_at' | 'patient_name' | 'last_status' | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
}

export interface OrderPage {
  readonly orders: readonly OrderView[];
  /** Null when more orders match than are counted. */
  readonly total: number | null;
}

/** Counting more would take longer than the page itself. */
const countedMax = 10_000;
/** Names are sealed, so sorting by name decrypts every one. */
const sortedByNameMax = 5000;

function searchCondition(key: Buffer, text: string): SQL | undefined {
  const found = text.trim();
  if (isUuid(found)) return or(eq(labOrders.orderId, found), eq(labOrders.userId, found));
  if (/^\d{4}-\d{2}-\d{2}$/.test(found)) return arrayContains(labOrders.nameHashes, [birthDateHash(key, found)]);
  const hashes = searchHashes(key, found);
  return or(arrayContains(labOrders.nameHashes, hashes), arrayContains(labOrders.recipientHashes, hashes));
}

function activationCondition(activation: OrderFilter['activation'], today: string): SQL | undefined {
  if (activation === undefined || activation.length !== 1) return undefined;
  if (activation[0] === 'scheduled') return gt(labOrders.activateBy, today);
  return or(isNull(labOrders.activateBy), lte(labOrders.activateBy, today));
}

/** A status contains the method, so filtering by both is one index lookup. */
function statusCondition({ statuses, methods }: OrderFilter): SQL | undefined {
  if (statuses === undefined) return methods && inArray(labOrders.method, [...methods]);
  const wanted = statuses.flatMap(statusesOf).filter((status) => methods === undefined || methods.includes(status.split('.')[1] ?? ''));
  const [only = ''] = wanted;
  return wanted.length > 1 ? inArray(labOrders.status, wanted) : eq(labOrders.status, only);
}

async function countUpTo({ orm }: Executor, where: SQL | undefined): Promise<number | null> {
  const some = orm
    .select({ orderId: labOrders.orderId })
    .from(labOrders)
    .where(where)
    .limit(countedMax + 1)
    .as('some');
  const [all] = await run(orm.select({ total: count() }).from(some));
  const total = all?.total ?? 0;
  return total > countedMax ? null : total;
}

function conditions(teamId: string, filter: OrderFilter, key: Buffer | null, today: string): SQL | undefined {
  const { createdAt, updatedAt } = labOrders;
  const given = <T>(value: T | undefined, condition: (value: T) => SQL | undefined) => (value === undefined ? undefined : condition(value));
  const named = (column: typeof labOrders.nameHashes | typeof labOrders.recipientHashes) => (text: string) =>
    key === null || text.trim() === '' ? undefined : arrayContains(column, searchHashes(key, text));
  return and(
    eq(labOrders.teamId, teamId),
    isNotNull(labOrders.userId),
    // A literal, which the partial indexes of the lists need.
    sql`NOT ${labOrders.isHidden}`,
    given(filter.from, (at) => gte(createdAt, at)),
    given(filter.to, (at) => lt(createdAt, at)),
    given(filter.updatedFrom, (at) => gte(updatedAt, at)),
    given(filter.updatedTo, (at) => lt(updatedAt, at)),
    statusCondition(filter),
    given(filter.isCritical, (is) =>
      is
        ? eq(labOrders.interpretation, 'critical')
        : or(isNull(labOrders.interpretation), inArray(labOrders.interpretation, ['normal', 'abnormal', 'unknown'])),
    ),
    given(filter.interpretation, (word) => eq(labOrders.interpretation, word)),
    activationCondition(filter.activation, today),
    given(filter.userId, (id) => eq(labOrders.userId, id)),
    given(filter.patientName, named(labOrders.nameHashes)),
    given(filter.recipientName, named(labOrders.recipientHashes)),
    given(filter.orderIds, (ids) => inArray(labOrders.orderId, [...ids])),
    given(filter.transactionId, (id) => eq(labOrders.transactionId, id)),
    given(filter.search, (text) => (key === null || text.trim() === '' ? undefined : searchCondition(key, text))),
  );
}

async function idsByName(
  { orm }: Executor,
  { cipher }: LabsContext,
  where: SQL | undefined,
  { page, size, isDescending }: { readonly page: number; readonly size: number; readonly isDescending: boolean },
): Promise<readonly string[]> {
  const rows = await run(
    orm
      .select({ orderId: labOrders.orderId, details: labOrderDetails.details })
      .from(labOrders)
      .innerJoin(labOrderDetails, eq(labOrderDetails.orderId, labOrders.orderId))
      .where(where)
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
  const ordered = isDescending ? named.toReversed() : named;
  return ordered.slice((page - 1) * size, page * size).map(({ orderId }) => orderId);
}

/** A page of a team's orders, by default newest first. */
export async function listOrders(
  context: LabsContext,
  teamId: string,
  filter: OrderFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<OrderPage> {
  const { database, clock } = context;
  const { orderKey = 'created_at' } = filter;
  const isDescending = (filter.direction ?? (orderKey === 'created_at' ? 'desc' : 'asc')) === 'desc';
  const needsKey = filter.search !== undefined || filter.patientName !== undefined || filter.recipientName !== undefined;
  const key = needsKey ? await readTeamKey(database, context, teamId) : null;
  const where = conditions(teamId, filter, key, clock.now().toISOString().slice(0, 10));
  const by = isDescending ? desc : asc;
  const columns = orderKey === 'last_status' ? [by(labOrders.status), by(labOrders.createdAt)] : [by(labOrders.createdAt)];
  const pageOfIds = async () => {
    const query = database.orm.select({ orderId: labOrders.orderId }).from(labOrders).where(where);
    const rows = await run(
      query
        .orderBy(...columns, by(labOrders.orderId))
        .limit(size)
        .offset((page - 1) * size),
    );
    return rows.map(({ orderId }) => orderId);
  };
  const [total, orders] = await Promise.all([
    countUpTo(database, where),
    (orderKey === 'patient_name' ? idsByName(database, context, where, { page, size, isDescending }) : pageOfIds()).then((ids) =>
      readOrders(database, context, teamId, ids),
    ),
  ]);
  return { orders, total };
}
