import { isAppError, uuidv5 } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../../jobs/job.ts';
import { putJob } from '../../jobs/job-queue.ts';
import type { LockedAppointment } from '../changes/lock-appointment.ts';
import type { SchedulingPartner } from '../../partners/partner.ts';
import { partnerKindOf } from '../model/appointment.ts';
import { readAppointment } from '../model/read-appointments.ts';
import { nothingToDo } from './partner-call.ts';

/** A call still in progress may create a booking after our lookup, so the lookup is repeated this often, at growing intervals. */
export const lookupsMax = 8;
const firstLookupMs = 15_000;

export const lookupDelayMs = ({ attempts }: Pick<PartnerJob, 'attempts'>) => firstLookupMs * 2 ** Math.min(attempts, lookupsMax);

/** Enqueues the job that removes everything of an appointment from the partner. */
export async function putRelease(tx: Tx, { row }: Pick<LockedAppointment, 'row'>, now: Date): Promise<void> {
  const { teamId, provider: partner, orderId, appointmentId, type, providerId } = row;
  const booking = { appointmentId, type, providerId };
  // The booking's idempotency key, by which the partner is searched.
  const job = { teamId, partner, kind: 'release_booking', orderId, appointmentId, idempotencyKey: appointmentId, booking };
  await putJob(tx, job, now);
}

/** The partner of a job. A team that was erased meanwhile had bookings to release at real partners only. */
export async function partnerOfJob({ owners, database, partners }: LabsContext, job: PartnerJob, type: string): Promise<SchedulingPartner> {
  const team = await owners.findTeam(database, job.teamId);
  return partners.get(partnerKindOf(type), job.partner, team ?? { isSandbox: false });
}

/** Cancels bookings at their partner. One that the partner refuses to cancel, because the visit has begun, does not keep the others. */
export async function cancelEach(
  partner: SchedulingPartner,
  { jobId }: PartnerJob,
  bookings: readonly { readonly providerId: string }[],
  why: { readonly reasonId: string; readonly note: string | null },
  signal: AbortSignal,
): Promise<void> {
  for (const { providerId } of bookings) {
    try {
      await partner.cancel({ providerId, ...why, idempotencyKey: uuidv5(jobId, providerId), signal });
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'upstream') throw error;
    }
  }
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const view =
    job.appointmentId === null ? null : await readAppointment(context.database, context, { ...job, appointmentId: job.appointmentId });
  const booking = job.booking ?? view?.row;
  if (!booking) return nothingToDo;
  const { appointmentId, providerId: known } = booking;
  const partner = await partnerOfJob(context, job, booking.type);
  const { idempotencyKey } = job;
  const { reasonId, note } = view?.details.wantedCancellation ?? { reasonId: otherReason(partner.cancellationReasons), note: null };
  const found = known === '' ? await partner.findBookings({ appointmentId, idempotencyKey, signal }) : [{ providerId: known }];
  await cancelEach(partner, job, found, { reasonId, note }, signal);
  return known === '' && job.attempts < lookupsMax ? { kind: 'later', delayMs: lookupDelayMs(job) } : nothingToDo;
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
