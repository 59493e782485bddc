import type { LabsContext } from '../../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../../jobs/job.ts';
import { changeAppointment, storeQuietly } from '../changes/change-appointment.ts';
import { lockAppointment } from '../changes/lock-appointment.ts';
import { isActive } from '../model/appointment.ts';
import { nothingToDo, readSubject } from './partner-call.ts';

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const subject = await readSubject(context, job);
  const wanted = subject?.view.details.wantedCancellation;
  if (!subject || !wanted || !isActive(subject.view.row)) return nothingToDo;
  const { providerId } = subject.view.row;
  await subject.partner.cancel({ providerId, ...wanted, idempotencyKey: job.idempotencyKey, signal });
  return {
    kind: 'done',
    async commit(tx, emit) {
      const locked = await lockAppointment(tx, context, subject.view.row);
      if (locked === null || !isActive(locked.row)) return;
      const cancelled = { to: 'cancelled', with: { canReschedule: false }, orderTo: 'appointment_cancelled' } as const;
      await changeAppointment(tx, emit, context, locked, { ...cancelled, data: { origin: 'patient' } });
    },
  };
}

/** Cancels a booking at the partner, then here. */
export const cancelAppointmentCall: JobKind = {
  kind: 'cancel_appointment',
  timeoutMs: 15_000,
  attemptsMax: 100,
  backoffMs: 1000,
  backoffMaxMs: 600_000,
  attempt,
  async giveUp(context, tx, _emit, job) {
    const locked = await lockAppointment(tx, context, job);
    if (locked !== null) await storeQuietly(tx, context, locked, { details: { wantedCancellation: null } });
  },
};
