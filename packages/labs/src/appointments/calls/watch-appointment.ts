import type { LabsContext } from '../../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../../jobs/job.ts';
import { getOrder } from '../../orders/read/read-orders.ts';
import { changeAppointment } from '../changes/change-appointment.ts';
import { lockAppointment } from '../changes/lock-appointment.ts';
import { isActive, type AppointmentRow } from '../model/appointment.ts';
import type { PartnerAppointment } from '../../partners/partner.ts';
import { autoCancelMs, isEarly } from '../rules/auto-cancel.ts';
import { followPartner } from './follow-partner.ts';
import { nothingToDo, readSubject } from './partner-call.ts';
import { putRelease } from './release-booking.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** No updates about a visit are expected from the partner after this. */
const watchedAfterEndMs = 7 * dayMs;
const requestWatchedMs = 60 * dayMs;
/** The next poll of an appointment without a requisition when the partner could not be reached. */
const failedMs = 5 * minuteMs;

/** When to poll the partner again; null: never. */
function delayOf({ startAt, endAt, createdAt }: AppointmentRow, nowMs: number): number | null {
  if (startAt === null || endAt === null) {
    const ageMs = nowMs - createdAt.getTime();
    return ageMs > requestWatchedMs ? null : Math.max(minuteMs / 2, Math.min(ageMs, hourMs));
  }
  if (nowMs > endAt.getTime() + watchedAfterEndMs) return null;
  const untilStartMs = startAt.getTime() - nowMs;
  return untilStartMs > 0 ? Math.min(untilStartMs, 6 * hourMs) : Math.max(5 * minuteMs, Math.min(hourMs, nowMs - endAt.getTime()));
}

/** Cancels an appointment when its order does not get a requisition in time. */
function endEarly(context: LabsContext, appointmentId: string): JobOutcome {
  return {
    kind: 'later',
    delayMs: 0,
    async commit(tx, emit) {
      const locked = await lockAppointment(tx, context, appointmentId);
      if (locked === null || !isActive(locked.row) || !isEarly(locked.order)) return;
      const cancelled = { to: 'cancelled', data: { reason: 'no_requisition' }, with: { canReschedule: false } } as const;
      await changeAppointment(tx, emit, context, locked, cancelled);
      await putRelease(tx, locked, context.clock.now());
    },
  };
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const subject = await readSubject(context, job);
  if (subject === null || !isActive(subject.view.row)) return nothingToDo;
  const { row } = subject.view;
  const { order } = await getOrder(context.database, context, row.teamId, row.orderId);
  const nowMs = context.clock.now().getTime();
  const endMs = autoCancelMs(order, row);
  if (endMs <= nowMs) return endEarly(context, row.appointmentId);
  // Delays vary by a tenth, so wait for less than the remaining time and approach it step by step.
  const untilEndMs = Math.max(100, (endMs - nowMs) * 0.9);
  let state: PartnerAppointment | null;
  try {
    state = await subject.partner.get({ providerId: row.providerId, signal });
  } catch (error) {
    // An unavailable partner must not delay our own deadline.
    if (endMs === Number.POSITIVE_INFINITY || signal.aborted) throw error;
    return { kind: 'later', delayMs: Math.min(failedMs, untilEndMs) };
  }
  const delayMs = delayOf({ ...row, startAt: state?.startAt ?? row.startAt, endAt: state?.endAt ?? row.endAt }, nowMs);
  if (delayMs === null) return nothingToDo;
  return {
    kind: 'later',
    delayMs: Math.min(delayMs, untilEndMs),
    async commit(tx, emit) {
      const locked = await lockAppointment(tx, context, row.appointmentId);
      // A state that the partner reported before our change does not describe the current booking.
      const isCurrent = locked?.row.updatedAt.getTime() === row.updatedAt.getTime() && locked.row.providerId === row.providerId;
      if (locked !== null && state !== null && isCurrent) await followPartner(tx, emit, context, locked, state);
    },
  };
}

/** Polls a booking until it ends. Partner webhooks only make the job due at once, so their order and number do not matter. */
export const watchAppointment: JobKind = {
  kind: 'watch_appointment',
  timeoutMs: 15_000,
  attemptsMax: 1_000_000,
  backoffMs: minuteMs,
  // Attempts include successful polls, and a poll that fails may be one that a webhook caused, which is not repeated.
  backoffMaxMs: 10 * minuteMs,
  attempt,
  async giveUp() {},
};
