import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../../jobs/job.ts';
import { putJob } from '../../jobs/put-job.ts';
import type { LockedAppointment } from '../changes/lock-appointment.ts';
import type { SchedulingPartner } from '../../partners/partner.ts';
import { partnerKindOf } from '../model/appointment.ts';
import { readAppointment } from '../model/read-appointments.ts';
import { nothingToDo } from './partner-call.ts';

/** A call still in progress may create a booking after our lookup, so the lookup is repeated this often, at growing intervals. */
const looks = 8;
const firstLookMs = 15_000;

/** Enqueues the job that removes everything of an appointment from the partner. */
export async function putRelease(tx: Tx, { row }: Pick<LockedAppointment, 'row'>, now: Date): Promise<void> {
  const { teamId, provider: partner, orderId, appointmentId, type, providerId } = row;
  const booking = { appointmentId, type, providerId };
  // The booking's idempotency key, by which the partner is searched.
  const job = { teamId, partner, kind: 'release_booking', orderId, appointmentId, idempotencyKey: appointmentId, booking };
  await putJob(tx, { ...job, dueAt: now }, now);
}

/** The partner of a job. A team that was erased meanwhile had bookings to release at real partners only. */
async function partnerOfJob({ owners, database, partners }: LabsContext, job: PartnerJob, type: string): Promise<SchedulingPartner> {
  const team = await owners.findTeam(database, job.teamId);
  return partners.get(partnerKindOf(type), job.partner, team ?? { isSandbox: false });
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const view = job.appointmentId === null ? null : await readAppointment(context.database, context, job.appointmentId);
  const booking = job.booking ?? view?.row;
  if (!booking) return nothingToDo;
  const { appointmentId, providerId: known } = booking;
  const partner = await partnerOfJob(context, job, booking.type);
  const { idempotencyKey } = job;
  const found =
    known === '' ? await partner.findBooking({ appointmentId, idempotencyKey, signal }) : { providerId: known, state: 'unknown' };
  const again: JobOutcome = { kind: 'later', delayMs: firstLookMs * 2 ** Math.min(job.attempts, looks) };
  if (found === null) return job.attempts < looks ? again : nothingToDo;
  if (found.state === 'cancelled') return nothingToDo;
  const { reasonId, note } = view?.details.wantedCancellation ?? { reasonId: otherReason(partner.cancellationReasons), note: null };
  await partner.cancel({ providerId: found.providerId, reasonId, note, idempotencyKey: job.jobId, signal });
  return nothingToDo;
}

export function otherReason(reasons: readonly { readonly reasonId: string; readonly name: string }[]): string {
  return (reasons.find(({ name }) => name === 'Other') ?? reasons[0])?.reasonId ?? '';
}

/** Cancels at the partner what is already cancelled here, or what an unconfirmed booking may have left there. */
export const releaseBooking: JobKind = {
  kind: 'release_booking',
  timeoutMs: 15_000,
  attemptsMax: 200,
  backoffMs: 2000,
  backoffMaxMs: 3_600_000,
  attempt,
  // The partner refuses to cancel because the visit has begun or was cancelled before.
  async giveUp() {},
};
