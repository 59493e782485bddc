import { and, asc, desc, eq, notInArray, type SQL } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { labAppointmentEvents, labAppointments } from '../../model/appointment-tables.ts';
import { notFound } from '../../model/errors.ts';
import { isAppointment } from '../../model/of-team.ts';
import { labOrders } from '../../model/order-tables.ts';
import { openAppointment, type AppointmentType, type AppointmentView } from './appointment.ts';

async function readOne(
  executor: Executor,
  { cipher }: Pick<LabsContext, 'cipher'>,
  where: SQL | undefined,
): Promise<AppointmentView | null> {
  const { orm } = executor;
  const [found] = await run(
    orm
      .select({ row: labAppointments, userId: labOrders.userId, transactionId: labOrders.transactionId })
      .from(labAppointments)
      .innerJoin(labOrders, eq(labOrders.orderId, labAppointments.orderId))
      .where(where)
      .orderBy(desc(labAppointments.createdAt), desc(labAppointments.appointmentId))
      .limit(1),
  );
  if (!found || found.userId === null) return null;
  const { row, userId, transactionId } = found;
  const mine = eq(labAppointmentEvents.appointmentId, row.appointmentId);
  const events = await run(orm.select().from(labAppointmentEvents).where(mine).orderBy(asc(labAppointmentEvents.eventId)));
  return { row, userId, transactionId, events, details: openAppointment(cipher, row) };
}

/** Null when the appointment is gone. */
export function readAppointment(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  appointment: { readonly teamId: string; readonly appointmentId: string },
): Promise<AppointmentView | null> {
  return readOne(executor, context, isAppointment(appointment));
}

interface OfOrder {
  readonly teamId: string;
  readonly orderId: string;
  readonly type: AppointmentType;
}

const whereOf = ({ teamId, orderId, type }: OfOrder) =>
  and(eq(labAppointments.teamId, teamId), eq(labAppointments.orderId, orderId), eq(labAppointments.type, type));

const none = () => notFound('appointment_not_found', 'The order has no active appointment');

/** The active appointment of an order. Throws AppError `appointment_not_found`. */
export async function getActiveAppointment(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  of: OfOrder,
): Promise<AppointmentView> {
  const found = await readOne(executor, context, and(whereOf(of), notInArray(labAppointments.status, ['cancelled', 'completed'])));
  if (!found) throw none();
  return found;
}

/** The newest appointment of an order, whatever its status. Throws AppError `appointment_not_found`. */
export async function getNewestAppointment(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  of: OfOrder,
): Promise<AppointmentView> {
  const found = await readOne(executor, context, whereOf(of));
  if (!found) throw none();
  return found;
}
