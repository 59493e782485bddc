import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../../jobs/job.ts';
import { putJob } from '../../jobs/job-queue.ts';
import type { LockedAppointment } from '../changes/lock-appointment.ts';
import { isActive } from '../model/appointment.ts';
import { readAppointment } from '../model/read-appointments.ts';
import { nothingToDo } from './partner-call.ts';
import { cancelEach, lookupDelayMs, lookupsMax, otherReason, partnerOfJob } from './release-booking.ts';

/** Enqueues the job that removes further bookings of an appointment that took several attempts. */
export async function putDuplicatesRelease(tx: Tx, { row }: Pick<LockedAppointment, 'row'>, now: Date): Promise<void> {
  const { teamId, provider: partner, orderId, appointmentId, type } = row;
  const booking = { appointmentId, type, providerId: '' };
  const job = { teamId, partner, kind: releaseDuplicates.kind, orderId, appointmentId, idempotencyKey: appointmentId, booking };
  await putJob(tx, job, now);
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const { booking, idempotencyKey } = job;
  if (!booking) return nothingToDo;
  const { appointmentId, type } = booking;
  const partner = await partnerOfJob(context, job, type);
  const found = await partner.findBookings({ appointmentId, idempotencyKey, signal });
  // Read afterwards: a booking that the appointment has adopted by now is kept.
  const view = await readAppointment(context.database, context, { teamId: job.teamId, appointmentId });
  // The id of a booking may change while a partner moves it.
  const isMoving = view?.details.wantedMove != null;
  const kept = view && (isActive(view.row) || view.row.status === 'completed') ? view.row.providerId : null;
  const reasonId = otherReason(partner.cancellationReasons);
  const others = found.filter(({ providerId }) => providerId !== kept);
  if (!isMoving) await cancelEach(partner, job, others, { reasonId, note: null }, signal);
  return job.attempts < lookupsMax ? { kind: 'later', delayMs: lookupDelayMs(job) } : nothingToDo;
}

/**
 * Cancels bookings at a partner beside the one that the appointment has. A partner that ignores idempotency keys creates one for each
 * attempt that reaches it, even when the attempt arrives after its successor was confirmed.
 */
export const releaseDuplicates: JobKind = {
  kind: 'release_twins',
  timeoutMs: 15_000,
  attemptsMax: 200,
  backoffMs: 2000,
  backoffMaxMs: 3_600_000,
  attempt,
  async giveUp() {},
};
