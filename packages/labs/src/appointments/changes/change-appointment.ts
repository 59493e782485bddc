import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import type { AppointmentEventData } from '../../model/appointment.ts';
import { labAppointmentEvents, labAppointments } from '../../model/appointment-tables.ts';
import { isAppointment } from '../../model/of-team.ts';
import { changeStatus, lockOrder, progressOf } from '../../orders/change-status.ts';
import { localDayOf } from '../../partners/kit/local-time.ts';
import { isAllowed, shortestPath } from '../../orders/statuses/status.ts';
import { sealAppointment, statusOf, type AppointmentDetails, type AppointmentRow, type EventStatus } from '../model/appointment.ts';
import { readAppointment } from '../model/read-appointments.ts';
import { renderAppointment } from '../model/render-appointment.ts';
import { isBookable } from '../rules/assert-bookable.ts';
import type { LockedAppointment } from './lock-appointment.ts';
import type { LowStatus } from '../../model/order-status-words.ts';

type Columns = Partial<Pick<AppointmentRow, 'providerId' | 'externalId' | 'siteCode' | 'startAt' | 'endAt' | 'canReschedule'>>;

export interface AppointmentChange {
  readonly to: EventStatus;
  readonly data?: AppointmentEventData | null;
  readonly with?: Columns;
  readonly details?: Partial<AppointmentDetails>;
  /** Low-level status to set on the order if its current one allows it; absent: unchanged. */
  readonly orderTo?: 'appointment_pending' | 'appointment_scheduled' | 'appointment_cancelled' | 'draw_completed';
}

/** Stores changes that emit no event: what is requested from the partner, or the partner's id of the appointment. */
export async function storeQuietly(
  tx: Tx,
  { cipher, clock }: LabsContext,
  { row, details }: LockedAppointment,
  changes: { readonly with?: Columns; readonly details?: Partial<AppointmentDetails> },
): Promise<void> {
  const sealed = changes.details && sealAppointment(cipher, row.appointmentId, { ...details, ...changes.details });
  const values = { ...changes.with, ...(sealed && { details: sealed }), updatedAt: clock.now() };
  await run(tx.orm.update(labAppointments).set(values).where(isAppointment(row)));
}

/** The statuses that an order passes through to match its appointment. */
function pathOf(order: LockedAppointment['order'], to: NonNullable<AppointmentChange['orderTo']>): readonly LowStatus[] {
  const progress = progressOf(order);
  if (!isBookable(order)) return [];
  if (to === 'appointment_scheduled') return progress.from === to ? [to] : (shortestPath(progress, to) ?? []);
  return isAllowed(progress, to) ? [to] : [];
}

/** The local day of a visit that was completed: results are expected some days later. */
function drawnOn({ row, order }: LockedAppointment, { clock }: LabsContext) {
  const collectedOn = order.collectedOn ?? localDayOf(row.startAt ?? clock.now(), row.ianaTimezone ?? 'UTC');
  return { with: { collectedOn } };
}

/** Updates the order of an appointment, if the order's status allows it. */
export async function changeOrder(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  locked: LockedAppointment,
  to: AppointmentChange['orderTo'],
): Promise<void> {
  if (to === undefined || locked.user === null) return;
  let { order } = locked;
  for (const next of pathOf(order, to)) {
    await changeStatus(tx, emit, context, locked.team, order, { to: next, ...(next === 'draw_completed' && drawnOn(locked, context)) });
    order = await lockOrder(tx, order.teamId, order.orderId);
  }
}

/** Emits the appointment's state in the transaction. */
export async function emitAppointment(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  { row, user, isNew }: Pick<LockedAppointment, 'row' | 'user'> & { readonly isNew: boolean },
): Promise<void> {
  if (user === null) return;
  const view = await readAppointment(tx, context, row);
  const eventType = isNew ? 'labtest.appointment.created' : 'labtest.appointment.updated';
  const { userId, clientUserId } = user;
  if (view) emit(jsonEvent({ eventType, teamId: row.teamId, userId, clientUserId, data: renderAppointment(view) }));
}

/** Changes a locked appointment, its history and its order's status, and emits the events for both, in one transaction. */
export async function changeAppointment(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  locked: LockedAppointment,
  change: AppointmentChange,
): Promise<void> {
  const { row, user } = locked;
  const { to, data = null } = change;
  const { appointmentId } = row;
  await storeQuietly(tx, context, locked, change);
  const values = { status: statusOf(to), eventStatus: to };
  await run(tx.orm.update(labAppointments).set(values).where(isAppointment(row)));
  await run(tx.orm.insert(labAppointmentEvents).values({ appointmentId, status: to, data, createdAt: context.clock.now() }));
  await emitAppointment(tx, emit, context, { row, user, isNew: false });
  await changeOrder(tx, emit, context, locked, change.orderTo);
}
