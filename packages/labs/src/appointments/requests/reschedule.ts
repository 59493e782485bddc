import { and, eq, inArray } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import type { LabTeam } from '../../context/context.ts';
import type { JobRunner } from '../../jobs/job.ts';
import { putJob } from '../../jobs/job-queue.ts';
import { labPartnerJobs } from '../../model/job-tables.ts';
import { refused } from '../../model/errors.ts';
import { assertFree } from '../availability/booked-slots.ts';
import { readBookingKey, useBookingKey } from '../availability/booking-key.ts';
import { abandonMove, moveAppointment } from '../calls/move-appointment.ts';
import { partnerOf } from '../calls/partner-call.ts';
import { storeQuietly } from '../changes/change-appointment.ts';
import { lockAppointment, type LockedAppointment } from '../changes/lock-appointment.ts';
import { isActive, type AppointmentType } from '../model/appointment.ts';
import { getNewestAppointment } from '../model/read-appointments.ts';
import type { BookingOutcome } from './book.ts';
import { endCall, readAgain, waitForCall } from './wait-for-call.ts';

export interface Rescheduling {
  readonly orderId: string;
  readonly type: AppointmentType;
  readonly bookingKey: string;
  /** Null: keeps the appointment's. */
  readonly notes: string | null;
}

/** Throws AppError `appointment_changing` while another change is pending at the partner. */
export async function assertUnchanging({ orm }: Tx, { row }: LockedAppointment): Promise<void> {
  const changes = inArray(labPartnerJobs.kind, ['move_appointment', 'cancel_appointment']);
  const [running] = await run(
    orm
      .select({ jobId: labPartnerJobs.jobId })
      .from(labPartnerJobs)
      .where(and(eq(labPartnerJobs.teamId, row.teamId), eq(labPartnerJobs.appointmentId, row.appointmentId), changes)),
  );
  if (running) throw refused('appointment_changing', 'The provider has not decided on an earlier change of the appointment');
}

/**
 * Moves the appointment of an order to the slot of a booking key of the same provider. Throws AppErrors of kinds `not_found` and `invalid`.
 */
export async function rescheduleAppointment(runner: JobRunner, team: LabTeam, change: Rescheduling): Promise<BookingOutcome> {
  const { labs } = runner;
  const { type, orderId, bookingKey } = change;
  const now = labs.clock.now();
  const choice = readBookingKey(labs.cipher, team.teamId, bookingKey, type, now);
  const { row } = await getNewestAppointment(labs.database, labs, { teamId: team.teamId, orderId, type });
  const { appointmentId, teamId, provider } = row;
  const partner = partnerOf(labs, team, { row });
  const jobId = await withEvents(labs.database, async (tx) => {
    const locked = await lockAppointment(tx, labs, row);
    if (locked === null || !isActive(locked.row)) throw refused('appointment_not_active', 'The appointment is not active any more');
    if (choice.provider !== provider) throw refused('booking_key_invalid', 'The booking key belongs to another provider');
    if (!locked.row.canReschedule) throw refused('appointment_fixed', 'The appointment cannot be rescheduled');
    await assertUnchanging(tx, locked);
    await assertFree(tx, team, provider, choice.slot);
    await useBookingKey(tx, bookingKey, choice, now);
    const wantedMove = { ...choice.slot, address: choice.address, notes: change.notes ?? locked.details.notes };
    await storeQuietly(tx, labs, locked, { details: { wantedMove } });
    const job = { teamId, partner: provider, kind: 'move_appointment', orderId, appointmentId };
    return putJob(tx, { ...job, deadlineAt: new Date(now.getTime() + partner.confirmationMs) }, now);
  });
  const started = { teamId, appointmentId, jobId };
  await waitForCall(runner, moveAppointment, started, partner.confirmationMs);
  await endCall(runner, started, (tx, _emit, locked) => abandonMove(labs, tx, locked));
  const view = await readAgain(runner, started);
  const isMoved = view.details.slot?.slotId === choice.slot.slotId && view.row.startAt?.getTime() === Date.parse(choice.slot.startAt);
  return { view, failure: isMoved ? null : { reason: 'not_moved', message: 'The provider did not reschedule the appointment' } };
}
