import type { Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import type { JobKind, JobOutcome, PartnerJob } from '../../jobs/job.ts';
import { partnerRefused } from '../../partners/kit/partner-errors.ts';
import type { PartnerAppointment } from '../../partners/partner.ts';
import { changeAppointment, storeQuietly } from '../changes/change-appointment.ts';
import { lockAppointment, type LockedAppointment } from '../changes/lock-appointment.ts';
import { bookRequestOf, nothingToDo, readSubject, type CallSubject } from './partner-call.ts';
import { followPartner, watch } from './follow-partner.ts';
import { putRelease } from './release-booking.ts';
import { putDuplicatesRelease } from './release-duplicates.ts';

const confirmationPollMs = 1000;

/** Requests the booking; on later attempts only if the partner has none yet. */
async function ask(
  context: LabsContext,
  { view, partner }: CallSubject,
  job: PartnerJob,
  signal: AbortSignal,
): Promise<PartnerAppointment> {
  const { row, details } = view;
  const { idempotencyKey } = job;
  if (row.providerId !== '') {
    const known = await partner.get({ providerId: row.providerId, signal });
    if (known === null) throw partnerRefused('The partner no longer has the booking');
    return known;
  }
  const call = { appointmentId: row.appointmentId, idempotencyKey, signal };
  const [earlier] = job.attempts > 1 ? await partner.findBookings(call) : [];
  if (earlier) return earlier;
  const { slot, notes, address } = details;
  return partner.book(await bookRequestOf(context.database, context, view, { slot, notes, address, idempotencyKey, signal }));
}

async function commitBooked(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  locked: LockedAppointment,
  { attempts }: PartnerJob,
  state: PartnerAppointment,
): Promise<void> {
  // Cancelled while the partner was deciding; the cancellation also ends the booking at the partner.
  if (locked.row.eventStatus !== 'pending') return;
  const now = context.clock.now();
  if (attempts > 1) await putDuplicatesRelease(tx, locked, now);
  if (!(await followPartner(tx, emit, context, locked, state)))
    // Accepted without a time, which a phlebotomist sets later.
    await changeAppointment(tx, emit, context, locked, {
      to: 'pending',
      with: { providerId: state.providerId, externalId: state.externalId },
      orderTo: 'appointment_pending',
    });
  await watch(tx, locked, now);
}

async function attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome> {
  const subject = await readSubject(context, job);
  if (subject === null || subject.view.row.eventStatus !== 'pending') return nothingToDo;
  const state = await ask(context, subject, job, signal);
  if (state.state === 'cancelled') throw partnerRefused('The partner refused the booking');
  const isUndecided = (state.state === 'pending' || state.state === 'unknown') && subject.view.details.slot !== null;
  const commit = async (tx: Tx, emit: Emit) => {
    const locked = await lockAppointment(tx, context, subject.view.row);
    if (locked === null) return;
    if (isUndecided) await storeQuietly(tx, context, locked, { with: { providerId: state.providerId } });
    else await commitBooked(tx, emit, context, locked, job, state);
  };
  return isUndecided ? { kind: 'later', delayMs: confirmationPollMs, commit } : { kind: 'done', commit };
}

const reasons: Readonly<Record<string, string>> = {
  partner_refused: 'refused',
  partner_slot_gone: 'slot_gone',
  partner_timeout: 'not_confirmed',
};

/** Cancels an unconfirmed booking and ensures that none remains at the partner. */
export async function abandonBooking(context: LabsContext, tx: Tx, emit: Emit, locked: LockedAppointment, code: string): Promise<void> {
  if (locked.row.eventStatus !== 'pending') return;
  await changeAppointment(tx, emit, context, locked, {
    to: 'cancelled',
    data: { reason: reasons[code] ?? 'unavailable' },
    with: { canReschedule: false },
  });
  await putRelease(tx, locked, context.clock.now());
}

/** Books an appointment and waits for the partner's confirmation. */
export const bookAppointment: JobKind = {
  kind: 'book_appointment',
  timeoutMs: 15_000,
  // The deadline of the booking ends it.
  attemptsMax: null,
  // After the shortest wait of a request, so that within it a booking has one attempt; the usual wait has time for two.
  backoffMs: 1500,
  backoffMaxMs: 60_000,
  attempt,
  async giveUp(context, tx, emit, job, code) {
    const locked = await lockAppointment(tx, context, job);
    if (locked !== null) await abandonBooking(context, tx, emit, locked, code);
  },
};
