import type { Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../../jobs/job.ts';
import { isFinal } from '../../jobs/run-job.ts';
import { getOrder } from '../../orders/read/read-orders.ts';
import { changeAppointment } from '../changes/change-appointment.ts';
import { lockAppointment, type LockedAppointment } from '../changes/lock-appointment.ts';
import { isActive, type AppointmentRow } from '../model/appointment.ts';
import { readAppointment } from '../model/read-appointments.ts';
import type { PartnerAppointment } from '../../partners/partner.ts';
import { autoCancelMs, isEarly } from '../rules/auto-cancel.ts';
import { followPartner } from './follow-partner.ts';
import { nothingToDo, readSubject } from './partner-call.ts';
import { putRelease } from './release-booking.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** The partner should have reported the end of a visit by then. */
const watchedAfterEndMs = 7 * dayMs;
/** A phlebotomist should have set the time of a requested visit by then. */
const requestWatchedMs = 60 * dayMs;
/** The next poll of an appointment without a requisition when the partner could not be reached. */
const failedMs = 5 * minuteMs;

type Times = Pick<AppointmentRow, 'startAt' | 'endAt' | 'createdAt'>;

/** When an appointment that the partner does not end expires: an active one keeps its patient from making another. */
function expiryMs({ startAt, endAt, createdAt }: Times): number {
  return startAt === null || endAt === null ? createdAt.getTime() + requestWatchedMs : endAt.getTime() + watchedAfterEndMs;
}

/** When to poll the partner again. */
function delayOf({ startAt, endAt, createdAt }: Times, nowMs: number): number {
  if (startAt === null || endAt === null) return Math.max(minuteMs / 2, Math.min(nowMs - createdAt.getTime(), hourMs));
  const untilStartMs = startAt.getTime() - nowMs;
  return untilStartMs > 0 ? Math.min(untilStartMs, 6 * hourMs) : Math.max(5 * minuteMs, Math.min(hourMs, nowMs - endAt.getTime()));
}

/** Cancels an appointment when its order does not get a requisition in time. */
function endEarly(context: LabsContext, row: AppointmentRow): JobOutcome {
  return {
    kind: 'later',
    delayMs: 0,
    async commit(tx, emit) {
      const locked = await lockAppointment(tx, context, row);
      if (locked === null || !isActive(locked.row) || !isEarly(locked.order)) return;
      const cancelled = { to: 'cancelled', data: { reason: 'no_requisition' }, with: { canReschedule: false } } as const;
      await changeAppointment(tx, emit, context, locked, cancelled);
      await putRelease(tx, locked, context.clock.now());
    },
  };
}

/** Cancels an active appointment whose end its partner has not reported, and at the partner what it may still plan. */
async function expire(tx: Tx, emit: Emit, context: LabsContext, locked: LockedAppointment): Promise<void> {
  const expired = { to: 'cancelled', data: { reason: 'expired' }, with: { canReschedule: false } } as const;
  await changeAppointment(tx, emit, context, locked, { ...expired, orderTo: 'appointment_cancelled' });
  await putRelease(tx, locked, context.clock.now());
}

/** Applies the partner's state, and ends the appointment if it has expired nevertheless. */
function follow(context: LabsContext, row: AppointmentRow, state: PartnerAppointment | null, nowMs: number) {
  return async (tx: Tx, emit: Emit) => {
    const locked = await lockAppointment(tx, context, row);
    if (locked === null) return;
    // A state that the partner reported before our change does not describe the current booking.
    const isCurrent = locked.row.updatedAt.getTime() === row.updatedAt.getTime() && locked.row.providerId === row.providerId;
    if (state !== null && isCurrent) await followPartner(tx, emit, context, locked, state);
    const after = await lockAppointment(tx, context, row);
    if (after !== null && isActive(after.row) && expiryMs(after.row) <= nowMs) await expire(tx, emit, context, after);
  };
}

async function poll(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<PartnerAppointment | null> {
  const subject = await readSubject(context, job);
  return subject && subject.partner.get({ providerId: subject.view.row.providerId, signal });
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const { teamId, appointmentId } = job;
  const view = appointmentId === null ? null : await readAppointment(context.database, context, { teamId, appointmentId });
  if (view === null || !isActive(view.row)) return nothingToDo;
  const { row } = view;
  const { order } = await getOrder(context.database, context, teamId, row.orderId);
  const nowMs = context.clock.now().getTime();
  const endMs = autoCancelMs(order, row);
  if (endMs <= nowMs) return endEarly(context, row);
  // Delays vary by a tenth, so wait for less than the remaining time and approach it step by step.
  const untilEndMs = Math.max(100, (endMs - nowMs) * 0.9);
  let state: PartnerAppointment | null;
  try {
    state = await poll(context, job, signal);
  } catch (error) {
    // An unavailable partner, or one that the installation has lost, must not delay our own deadlines.
    if (expiryMs(row) <= nowMs) return { kind: 'later', delayMs: 0, commit: follow(context, row, null, nowMs) };
    if (signal.aborted || (endMs === Number.POSITIVE_INFINITY && !isFinal(error))) throw error;
    return { kind: 'later', delayMs: Math.min(isFinal(error) ? hourMs : failedMs, untilEndMs) };
  }
  const delayMs = delayOf({ ...row, startAt: state?.startAt ?? row.startAt, endAt: state?.endAt ?? row.endAt }, nowMs);
  return { kind: 'later', delayMs: Math.min(delayMs, untilEndMs), commit: follow(context, row, state, nowMs) };
}

/** Polls a booking until it ends. Partner webhooks only make the job due at once, so their order and number do not matter. */
export const watchAppointment: JobKind = {
  kind: 'watch_appointment',
  timeoutMs: 15_000,
  attemptsMax: null,
  backoffMs: minuteMs,
  // Attempts include successful polls, and a poll that fails may be one that a webhook caused, which is not repeated.
  backoffMaxMs: 10 * minuteMs,
  attempt,
  async giveUp() {},
};
