import { and, eq } from 'drizzle-orm';
import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../../jobs/job.ts';
import { wakeJobs } from '../../jobs/job-queue.ts';
import { labPartnerJobs } from '../../model/job-tables.ts';
import { partnerTimeout } from '../../partners/kit/partner-errors.ts';
import type { PartnerAppointment } from '../../partners/partner.ts';
import { changeAppointment, storeQuietly } from '../changes/change-appointment.ts';
import { lockAppointment, type LockedAppointment } from '../changes/lock-appointment.ts';
import { isActive, type AppointmentDetails } from '../model/appointment.ts';
import { isEarly } from '../rules/auto-cancel.ts';
import { bookRequestOf, nothingToDo, readSubject, type CallSubject } from './partner-call.ts';

type Move = NonNullable<AppointmentDetails['wantedMove']>;

function isMovedTo(state: PartnerAppointment | null, move: Move): state is PartnerAppointment {
  return state?.state === 'scheduled' && state.startAt?.getTime() === Date.parse(move.startAt);
}

async function ask(context: LabsContext, { view, partner }: CallSubject, move: Move, job: PartnerJob, signal: AbortSignal) {
  const { providerId } = view.row;
  const earlier = job.attempts > 1 ? await partner.get({ providerId, signal }) : null;
  if (isMovedTo(earlier, move)) return earlier;
  const { notes, address } = move;
  const asked = { slot: move, notes, address, idempotencyKey: job.idempotencyKey, signal };
  return partner.reschedule({ ...(await bookRequestOf(context.database, context, view, asked)), providerId });
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const subject = await readSubject(context, job);
  const move = subject?.view.details.wantedMove;
  if (!subject || !move || !isActive(subject.view.row)) return nothingToDo;
  const state = await ask(context, subject, move, job, signal);
  if (!isMovedTo(state, move)) throw partnerTimeout();
  const { providerId, externalId, canReschedule } = state;
  return {
    kind: 'done',
    async commit(tx, emit) {
      const locked = await lockAppointment(tx, context, subject.view.row);
      if (locked === null || !isActive(locked.row)) return;
      const { slotId, siteCode, startAt, endAt, notes, address } = move;
      await changeAppointment(tx, emit, context, locked, {
        to: isEarly(locked.order) ? 'reserved' : 'scheduled',
        data: { origin: 'patient', is_reschedule: true },
        with: { providerId, externalId, canReschedule, siteCode, startAt: new Date(startAt), endAt: new Date(endAt) },
        details: { slot: { slotId, siteCode, startAt, endAt }, notes, address, wantedMove: null },
        orderTo: 'appointment_scheduled',
      });
    },
  };
}

/** Leaves the appointment at its old slot. The partner may have moved it nevertheless, so its state is fetched at once. */
export async function abandonMove(context: LabsContext, tx: Tx, locked: LockedAppointment): Promise<void> {
  await storeQuietly(tx, context, locked, { details: { wantedMove: null } });
  const { teamId, appointmentId } = locked.row;
  const mine = and(eq(labPartnerJobs.teamId, teamId), eq(labPartnerJobs.appointmentId, appointmentId));
  const watching = and(mine, eq(labPartnerJobs.kind, 'watch_appointment'));
  await wakeJobs(tx, watching);
}

/** Moves a booking to another slot. */
export const moveAppointment: JobKind = {
  kind: 'move_appointment',
  timeoutMs: 15_000,
  attemptsMax: null,
  backoffMs: 1000,
  backoffMaxMs: 10_000,
  attempt,
  async giveUp(context, tx, _emit, job) {
    const locked = await lockAppointment(tx, context, job);
    if (locked !== null) await abandonMove(context, tx, locked);
  },
};
