import type { Emit } from '@pulsewire/eventlog';
import { putJob } from '../../jobs/job-queue.ts';
import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import type { PartnerAppointment } from '../../partners/partner.ts';
import { changeAppointment, changeOrder, storeQuietly, type AppointmentChange } from '../changes/change-appointment.ts';
import type { LockedAppointment } from '../changes/lock-appointment.ts';
import { isActive, type EventStatus } from '../model/appointment.ts';
import { isEarly } from '../rules/auto-cancel.ts';

const orderTo: Partial<Record<EventStatus, AppointmentChange['orderTo']>> = {
  scheduled: 'appointment_scheduled',
  completed: 'draw_completed',
  cancelled: 'appointment_cancelled',
};

/** Legal status changes, so that late or repeated reports of a partner change nothing. */
const next: Readonly<Record<string, readonly string[]>> = {
  pending: ['reserved', 'scheduled', 'in_progress', 'completed', 'cancelled'],
  reserved: ['reserved', 'scheduled', 'in_progress', 'completed', 'cancelled'],
  scheduled: ['scheduled', 'in_progress', 'completed', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
};

/** Maps the partner's state to ours: without a requisition a booked time is only reserved. */
function stateHere({ order }: LockedAppointment, { state }: PartnerAppointment): PartnerAppointment['state'] {
  return state === 'scheduled' && isEarly(order) ? 'reserved' : state;
}

const sameTime = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();

function columnsOf({ row }: LockedAppointment, state: PartnerAppointment) {
  const { providerId, externalId, canReschedule } = state;
  const [startAt, endAt] = [state.startAt ?? row.startAt, state.endAt ?? row.endAt];
  return { providerId, externalId: externalId ?? row.externalId, startAt, endAt, canReschedule };
}

/**
 * Updates a locked appointment to the partner's state. Unknown states and illegal transitions change nothing. Returns
 * whether the change is visible to the team.
 */
export async function followPartner(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  locked: LockedAppointment,
  state: PartnerAppointment,
  data: AppointmentChange['data'] = null,
): Promise<boolean> {
  const { row } = locked;
  const to = stateHere(locked, state);
  if (!isActive(row) || to === 'unknown') return false;
  const columns = columnsOf(locked, state);
  const isMoved = !sameTime(row.startAt, columns.startAt) || !sameTime(row.endAt, columns.endAt);
  const isChange = to !== row.eventStatus || ((to === 'scheduled' || to === 'reserved') && isMoved);
  if (!isChange || !(next[row.eventStatus] ?? []).includes(to)) {
    // The visit has no time yet; its order moves to `appointment_pending`.
    if (to === 'pending' && row.eventStatus === 'pending') await changeOrder(tx, emit, context, locked, 'appointment_pending');
    if (to === row.eventStatus) await storeQuietly(tx, context, locked, { with: columns });
    return false;
  }
  const moved = row.eventStatus === to && isMoved ? { origin: 'provider', is_reschedule: true } : null;
  const follows = orderTo[to];
  await changeAppointment(tx, emit, context, locked, {
    to,
    data: data ?? moved,
    with: { ...columns, canReschedule: (to === 'scheduled' || to === 'reserved') && columns.canReschedule },
    ...(follows && { orderTo: follows }),
  });
  return true;
}

/** Enqueues the job that tracks the appointment at the partner until it ends. */
export async function watch(tx: Tx, { row }: LockedAppointment, now: Date): Promise<void> {
  const { teamId, provider: partner, orderId, appointmentId } = row;
  await putJob(tx, { teamId, partner, kind: 'watch_appointment', orderId, appointmentId }, now);
}
