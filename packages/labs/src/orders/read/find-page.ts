import { and, asc, count, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { run, textArray, type Executor } from '@pulsewire/database';
import { labOrders } from '../../model/order-tables.ts';
import { orderConditions, wantedStatuses, type OrderFilter } from './order-conditions.ts';

/** Counting more would take longer than the page itself. */
const countedMax = 10_000;

export interface PageOfIds {
  readonly ids: readonly string[];
  /** Null when more than 10,000 orders match. */
  readonly total: number | null;
}

/** Where to look: the team, its key for names (null: no names are searched) and the current day. */
export interface OrderScope {
  readonly teamId: string;
  readonly key: Buffer | null;
  readonly today: string;
}

interface Slice {
  readonly page: number;
  readonly size: number;
}

interface Sorting {
  readonly by: typeof asc;
  readonly isByStatus: boolean;
}

const { orderId, createdAt, updatedAt, status } = labOrders;

const isNamed = ({ search, patientName, recipientName }: OrderFilter) =>
  search !== undefined || patientName !== undefined || recipientName !== undefined;

/** Whether another index finds fewer orders than the one by status would. */
function isNarrow({ interpretation, isCritical, activation, userId, orderIds, transactionId, updatedFrom, updatedTo }: OrderFilter) {
  const others = [interpretation, userId, orderIds, transactionId, updatedFrom, updatedTo];
  return isCritical === true || (activation?.length === 1 && activation[0] === 'scheduled') || others.some((given) => given !== undefined);
}

/** The condition on all columns, including statuses. */
export function wholeCondition({ teamId, key, today }: OrderScope, filter: OrderFilter): SQL | undefined {
  const wanted = wantedStatuses(filter);
  // A kind alone is cheaper to compare than its twenty statuses.
  const kinds = filter.statuses === undefined && filter.methods ? inArray(labOrders.method, [...filter.methods]) : undefined;
  const admitted = kinds ?? (wanted === null ? undefined : sql`${status} = ANY(${textArray(wanted)}::text[])`);
  return and(orderConditions(teamId, filter, key, today), admitted);
}

/**
 * The ids of a page, and the number of matches up to a limit that is only counted when the page does not tell it: `page` and `some` are
 * queries of the page's ids and of at most that many matches plus one.
 */
async function pageAndTotal({ orm }: Executor, page: SQL, some: SQL, { page: number, size }: Slice): Promise<PageOfIds> {
  const offset = (number - 1) * size;
  const uncertain = [...(offset > 0 ? [0] : []), ...(offset + size <= countedMax ? [size] : [])];
  // LIMIT keeps Postgres from running the page once for each place that names it.
  const found = orm
    .select({ ids: sql<string[]>`ARRAY(${page})`.as('ids') })
    .from(sql`(VALUES (1)) AS one`)
    .limit(1)
    .as('found');
  const counted = sql<number | null>`CASE WHEN cardinality(${found.ids}) = ANY(${`{${uncertain.join()}}`}::int[])
    THEN (SELECT count(*)::int FROM (${some}) AS matching) END`;
  const [row] = await run(orm.select({ ids: found.ids, counted }).from(found));
  const ids = row?.ids ?? [];
  const total = row?.counted ?? offset + ids.length;
  return { ids, total: total > countedMax ? null : total };
}

/** One scan of the index for each status: the index has the newest of each, and counting compares nothing. */
function pageByStatuses(executor: Executor, where: SQL | undefined, wanted: readonly string[], { by, isByStatus }: Sorting, slice: Slice) {
  const { orm } = executor;
  const offset = (slice.page - 1) * slice.size;
  const each = sql`unnest(${textArray(wanted)}::text[]) AS wanted (full_status)`;
  const ofStatus = (limit: number) =>
    orm
      .select({ orderId, createdAt, status })
      .from(labOrders)
      .where(and(where, eq(status, sql`wanted.full_status`)))
      .orderBy(by(createdAt), by(orderId))
      .limit(limit)
      .as('found');
  const first = ofStatus(offset + slice.size);
  const columns = [...(isByStatus ? [by(first.status)] : []), by(first.createdAt), by(first.orderId)];
  const page = orm
    .select({ orderId: first.orderId })
    .from(each)
    .crossJoinLateral(first)
    .orderBy(...columns);
  const counted = ofStatus(countedMax + 1);
  const some = orm.select({ orderId: counted.orderId }).from(each).crossJoinLateral(counted);
  return pageAndTotal(executor, sql`${page.limit(slice.size).offset(offset)}`, sql`${some.limit(countedMax + 1)}`, slice);
}

/** Names are looked up once, for the page and for the total. */
async function pageByNames({ orm }: Executor, where: SQL | undefined, { by, isByStatus }: Sorting, { page, size }: Slice) {
  const matches = orm.$with('matches').as(orm.select({ orderId, createdAt, status }).from(labOrders).where(where));
  const columns = [...(isByStatus ? [by(matches.status)] : []), by(matches.createdAt), by(matches.orderId)];
  const ids = orm
    .select({ orderId: matches.orderId })
    .from(matches)
    .orderBy(...columns)
    .limit(size)
    .offset((page - 1) * size);
  const total = orm.select({ total: count() }).from(matches);
  const query = orm
    .with(matches)
    .select({ ids: sql<string[]>`ARRAY${ids}`, total: sql<string>`${total}` })
    .from(sql`(VALUES (1)) AS one`);
  const [row] = await run(query);
  const matching = Number(row?.total ?? 0);
  return { ids: row?.ids ?? [], total: matching > countedMax ? null : matching };
}

/** The ids of a page of a team's orders. Orders of deleted and erased users are omitted. */
export async function findOrderPage(executor: Executor, scope: OrderScope, filter: OrderFilter, slice: Slice): Promise<PageOfIds> {
  const { orm } = executor;
  const { orderKey = 'created_at' } = filter;
  const isByStatus = orderKey === 'last_status';
  const isDescending = (filter.direction ?? (isByStatus ? 'asc' : 'desc')) === 'desc';
  const sorting = { by: isDescending ? desc : asc, isByStatus };
  if (isNamed(filter)) return pageByNames(executor, wholeCondition(scope, filter), sorting, slice);
  const wanted = wantedStatuses(filter);
  if (wanted !== null && !isNarrow(filter)) {
    const { teamId, key, today } = scope;
    return pageByStatuses(executor, orderConditions(teamId, filter, key, today), wanted, sorting, slice);
  }
  const where = wholeCondition(scope, filter);
  const columns = [...(isByStatus ? [sorting.by(status)] : []), sorting.by(createdAt), sorting.by(orderId)];
  const page = orm
    .select({ orderId })
    .from(labOrders)
    .where(where)
    .orderBy(...columns)
    .limit(slice.size)
    .offset((slice.page - 1) * slice.size);
  // In the order of an index, because Postgres would read the table otherwise.
  const inOrder = filter.updatedFrom || filter.updatedTo ? [desc(updatedAt)] : columns;
  const some = orm.select({ orderId }).from(labOrders).where(where);
  const counted = isNarrow(filter) && inOrder === columns ? some : some.orderBy(...inOrder);
  return pageAndTotal(executor, sql`${page}`, sql`${counted.limit(countedMax + 1)}`, slice);
}
