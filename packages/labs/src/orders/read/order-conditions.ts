import { and, arrayContains, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import { isUuid } from '@pulsewire/kernel';
import { labOrders } from '../../model/order-tables.ts';
import { birthDateHash, searchHashes } from '../sealed/name-hashes.ts';
import { allStatuses, statusesOf } from '../statuses/status.ts';

export interface OrderFilter {
  readonly search?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly updatedFrom?: Date | undefined;
  readonly updatedTo?: Date | undefined;
  /** Low-level or full. */
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

/** The full statuses that a filter by status or kind admits, as a status contains the kind; null: any. */
export function wantedStatuses({ statuses, methods }: OrderFilter): readonly string[] | null {
  if (statuses === undefined && methods === undefined) return null;
  const wanted = statuses === undefined ? allStatuses : [...new Set(statuses.flatMap(statusesOf))];
  return methods === undefined ? wanted : wanted.filter((status) => methods.includes(status.split('.')[1] ?? ''));
}

/** The condition of a filter, except for statuses and kinds. `key` is the team's for names, and only needed to search them. */
export function orderConditions(teamId: string, filter: OrderFilter, key: Buffer | null, today: string): SQL | undefined {
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
