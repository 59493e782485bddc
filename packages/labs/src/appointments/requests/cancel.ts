import { and, eq } from 'drizzle-orm';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../../context/context.ts';
import type { JobRunner } from '../../jobs/job.ts';
import { putJob } from '../../jobs/job-queue.ts';
import { labPartnerJobs } from '../../model/job-tables.ts';
import { refused } from '../../model/errors.ts';
import { cancelAppointmentCall } from '../calls/cancel-appointment.ts';
import { partnerOf } from '../calls/partner-call.ts';
import { putRelease } from '../calls/release-booking.ts';
import { changeAppointment, storeQuietly } from '../changes/change-appointment.ts';
import { dropCalls } from '../changes/drop-calls.ts';
import { lockAppointment, type LockedAppointment } from '../changes/lock-appointment.ts';
import { isActive, type AppointmentType } from '../model/appointment.ts';
import { getNewestAppointment } from '../model/read-appointments.ts';
import type { BookingOutcome } from './book.ts';
import { readAgain, waitForCall } from './wait-for-call.ts';

export interface Cancellation {
  readonly orderId: string;
  readonly type: AppointmentType;
  readonly reasonId: string;
  readonly note: string | null;
}

async function findJob({ orm }: Tx, appointmentId: string, kind: string): Promise<string | null> {
  const ofKind = and(eq(labPartnerJobs.appointmentId, appointmentId), eq(labPartnerJobs.kind, kind));
  const [job] = await run(orm.select({ jobId: labPartnerJobs.jobId }).from(labPartnerJobs).where(ofKind));
  return job?.jobId ?? null;
}

/** Cancels a locked appointment here regardless of the partner, and enqueues its removal at the partner. */
export async function cancelHere(
  tx: Tx,
  emit: Emit,
  labs: LabsContext,
  locked: LockedAppointment,
  wanted: { readonly reasonId: string; readonly note: string | null } | null,
): Promise<void> {
  await dropCalls(tx, locked.row);
  await changeAppointment(tx, emit, labs, locked, {
    to: 'cancelled',
    data: { origin: 'patient' },
    with: { canReschedule: false },
    details: { wantedCancellation: wanted, wantedMove: null },
    orderTo: 'appointment_cancelled',
  });
  await putRelease(tx, locked, labs.clock.now());
}

async function demandCancellation(tx: Tx, labs: LabsContext, { row, ...locked }: LockedAppointment, wanted: Cancellation): Promise<string> {
  const { appointmentId, teamId, orderId, provider: partner } = row;
  const running = await findJob(tx, appointmentId, cancelAppointmentCall.kind);
  if (running !== null) return running;
  if ((await findJob(tx, appointmentId, 'move_appointment')) !== null)
    throw refused('appointment_changing', 'The provider has not decided on an earlier change of the appointment');
  const { reasonId, note } = wanted;
  await storeQuietly(tx, labs, { row, ...locked }, { details: { wantedCancellation: { reasonId, note } } });
  const now = labs.clock.now();
  return putJob(tx, { teamId, partner, kind: cancelAppointmentCall.kind, orderId, appointmentId }, now);
}

/**
 * Cancels the appointment of an order at its partner; an already cancelled one is returned. Throws AppErrors
 * `appointment_not_found` and of kind `invalid`.
 */
export async function cancelAppointment(runner: JobRunner, team: LabTeam, wanted: Cancellation): Promise<BookingOutcome> {
  const { labs } = runner;
  const { orderId, type, reasonId, note } = wanted;
  const view = await getNewestAppointment(labs.database, labs, { teamId: team.teamId, orderId, type });
  const { appointmentId } = view.row;
  const partner = partnerOf(labs, team, view);
  if (!partner.cancellationReasons.some((reason) => reason.reasonId === reasonId))
    throw refused('cancellation_reason_unknown', 'The provider has no such cancellation reason');
  const jobId = await withEvents(labs.database, async (tx, emit) => {
    const locked = await lockAppointment(tx, labs, view.row);
    if (locked === null || locked.row.status === 'cancelled') return null;
    if (!isActive(locked.row)) throw refused('appointment_completed', 'The appointment is completed');
    if (locked.row.providerId !== '') return demandCancellation(tx, labs, locked, wanted);
    // The partner has not confirmed the booking yet.
    await cancelHere(tx, emit, labs, locked, { reasonId, note });
    return null;
  });
  const started = { teamId: team.teamId, appointmentId, jobId: jobId ?? '' };
  if (jobId !== null) await waitForCall(runner, cancelAppointmentCall, started, partner.confirmationMs);
  const after = await readAgain(runner, started);
  if (after.row.status === 'cancelled') return { view: after, failure: null };
  const isRunning = after.details.wantedCancellation != null;
  const message = isRunning ? 'The provider has not confirmed the cancellation yet' : 'The provider refused to cancel';
  return { view: after, failure: { reason: isRunning ? 'not_confirmed' : 'refused', message } };
}
