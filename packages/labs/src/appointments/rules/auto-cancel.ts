import { hourMs } from '@pulsewire/kernel';
import type { OrderRow } from '../../orders/read/read-orders.ts';
import { lowLevel } from '../../orders/statuses/status.ts';
import type { AppointmentRow } from '../model/appointment.ts';

/** How long an order that was not scheduled may hold an appointment without a requisition. */
const waitMs = 8 * hourMs;
/** How long before the visit the requisition must exist. */
const noticeMs = 2 * hourMs;

/** Whether the order has no requisition yet. */
export function isEarly({ status }: Pick<OrderRow, 'status'>): boolean {
  return lowLevel(status) === 'ordered';
}

/** When an appointment without a requisition is cancelled, in Unix milliseconds; Infinity when it is not. */
export function autoCancelMs(
  order: Pick<OrderRow, 'status' | 'createdAt' | 'wasScheduled'>,
  { startAt }: Pick<AppointmentRow, 'startAt'>,
): number {
  if (!isEarly(order)) return Number.POSITIVE_INFINITY;
  const byAge = order.wasScheduled ? Number.POSITIVE_INFINITY : order.createdAt.getTime() + waitMs;
  return Math.min(byAge, startAt === null ? Number.POSITIVE_INFINITY : startAt.getTime() - noticeMs);
}
