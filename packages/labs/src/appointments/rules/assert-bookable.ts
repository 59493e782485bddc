import { and, eq, ne, notInArray } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../../context/context.ts';
import { labAppointments } from '../../model/appointment-tables.ts';
import { notFound, refused } from '../../model/errors.ts';
import { isMinor } from '../../orders/checks/assert-patient.ts';
import { localDayAt } from '../../orders/read/local-day.ts';
import { lockOrder } from '../../orders/change-status.ts';
import { getOrder, type OrderRow, type OrderView } from '../../orders/read/read-orders.ts';
import { lowLevel } from '../../orders/statuses/status.ts';
import type { AppointmentType } from '../model/appointment.ts';
import { isEarly } from './auto-cancel.ts';
import type { LowStatus } from '../../model/order-status-words.ts';

const methodOf: Readonly<Record<AppointmentType, string>> = { phlebotomy: 'at_home_phlebotomy', patient_service_center: 'walk_in_test' };

/** Statuses in which the sample of an order is not collected yet. */
const bookable = new Set<LowStatus>([
  'requisition_created',
  'requisition_bypassed',
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
]);

export function isBookable(order: Pick<OrderRow, 'status'>): boolean {
  return bookable.has(lowLevel(order.status));
}

/** An order with its row locked. */
export interface LockedOrder {
  readonly order: OrderRow & { readonly userId: string };
  readonly view: OrderView;
}

async function assertNoOther({ orm }: Tx, order: OrderRow & { readonly userId: string }, provider: string): Promise<void> {
  const active = notInArray(labAppointments.status, ['cancelled', 'completed']);
  const [own] = await run(
    orm
      .select({ id: labAppointments.appointmentId })
      .from(labAppointments)
      .where(and(eq(labAppointments.orderId, order.orderId), active)),
  );
  if (own) throw refused('appointment_exists', 'The order has an active appointment');
  const others = and(eq(labAppointments.userId, order.userId), ne(labAppointments.orderId, order.orderId), active);
  const [other] = await run(
    orm
      .select({ id: labAppointments.appointmentId })
      .from(labAppointments)
      .where(and(others, eq(labAppointments.provider, provider))),
  );
  if (other) throw refused('appointment_at_provider_exists', 'The patient has an active appointment with this provider for another order');
}

/**
 * Locks user and order, and checks that an appointment of this type is allowed. Throws AppErrors `order_not_found`, also for an order with
 * another collection method, and of kind `invalid`.
 */
export async function lockBookable(
  tx: Tx,
  context: LabsContext,
  team: LabTeam,
  wanted: { readonly orderId: string; readonly type: AppointmentType; readonly provider: string },
): Promise<LockedOrder> {
  const view = await getOrder(tx, context, team.teamId, wanted.orderId);
  if (view.order.method !== methodOf[wanted.type])
    throw notFound('order_not_found', `Order not found: such appointments are for orders of ${methodOf[wanted.type]}`);
  if (wanted.type === 'patient_service_center' && view.test.lab.slug !== wanted.provider)
    throw refused('center_of_another_lab', 'The slot is at a service center of a different lab than the order');
  await context.owners.lockUser(tx, team.teamId, view.order.userId);
  const order = await lockOrder(tx, team.teamId, wanted.orderId);
  if (isEarly(order) && !team.bookingBeforeRequisition) throw refused('requisition_missing', 'The order has no requisition yet');
  if (!isEarly(order) && !isBookable(order))
    throw refused('order_not_bookable', `No appointment can be made: the order is ${lowLevel(order.status)}`);
  const birthDate = view.secrets.patient?.['dob'];
  if (typeof birthDate !== 'string') throw refused('patient_missing', 'The order has no patient yet');
  const today = await localDayAt(tx, view.secrets.address?.['zip'], context.clock.now());
  if (isMinor(birthDate.slice(0, 10), today)) throw refused('patient_is_minor', 'Patients under 18 cannot have appointments');
  await assertNoOther(tx, order, wanted.provider);
  return { order, view };
}
