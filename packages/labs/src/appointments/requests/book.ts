import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import type { LabTeam } from '../../context/context.ts';
import type { JobRunner } from '../../jobs/job.ts';
import { assertFree } from '../availability/booked-slots.ts';
import { readBookingKey, useBookingKey } from '../availability/booking-key.ts';
import { abandonBooking, bookAppointment } from '../calls/book-appointment.ts';
import type { AppointmentType, AppointmentView } from '../model/appointment.ts';
import { lockBookable } from '../rules/assert-bookable.ts';
import { insertAppointment, type StartedCall } from './insert-appointment.ts';
import { endCall, readAgain, waitForCall } from './wait-for-call.ts';

/** How long a booking may take; null: the partner's usual time, after which it has failed. */
export type ConfirmationWait = { readonly waitMs: number; readonly confirmMs: number } | null;

export interface NewBooking {
  readonly orderId: string;
  readonly type: AppointmentType;
  readonly bookingKey: string;
  readonly notes: string | null;
  readonly confirmationWait: ConfirmationWait;
}

/** The outcome of a booking, for the response. */
export interface BookingOutcome {
  readonly view: AppointmentView;
  /** Why the booking failed; null: it is confirmed, or may still be. */
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

const failures: Readonly<Record<string, string>> = {
  refused: 'The provider refused the booking',
  slot_gone: 'The slot is no longer available',
  not_confirmed: 'The provider did not confirm the booking in time',
};

function failureOf({ row, events }: AppointmentView): BookingOutcome['failure'] {
  if (row.status !== 'cancelled') return null;
  const reason = events.at(-1)?.data?.reason ?? 'unavailable';
  return { reason, message: failures[reason] ?? 'The provider could not be reached' };
}

/** Waits for a booking until its time is up; an unconfirmed booking is then cancelled. */
export async function settleBooking(runner: JobRunner, started: StartedCall, ms: number): Promise<BookingOutcome> {
  await waitForCall(runner, bookAppointment, started, ms);
  await endCall(runner, started, (tx, emit, locked) => abandonBooking(runner.labs, tx, emit, locked, 'partner_timeout'));
  const view = await readAgain(runner, started);
  return { view, failure: failureOf(view) };
}

/**
 * Books the slot of a booking key. `hasBooked` runs in the transaction that stores the appointment and the job to book it, so a crash
 * cannot lose the job. Throws AppErrors `order_not_found` and of kind `invalid`.
 */
export async function book(runner: JobRunner, team: LabTeam, booking: NewBooking): Promise<BookingOutcome> {
  const { labs } = runner;
  const { type, bookingKey, orderId, notes, confirmationWait } = booking;
  const now = labs.clock.now();
  const choice = readBookingKey(labs.cipher, team.teamId, bookingKey, type, now);
  const { provider, timeZone, slot, address, location } = choice;
  const partner = labs.partners.get(type === 'phlebotomy' ? 'phlebotomy' : 'service_center', provider, team);
  const started = await withEvents(labs.database, async (tx: Tx, emit: Emit) => {
    const locked = await lockBookable(tx, labs, team, { orderId, type, provider });
    await assertFree(tx, team, provider, slot);
    await useBookingKey(tx, bookingKey, choice, now);
    const deadlineAt = new Date(now.getTime() + (confirmationWait?.confirmMs ?? partner.confirmationMs));
    return insertAppointment(tx, emit, labs, locked, { type, provider, timeZone, deadlineAt, details: { address, location, notes, slot } });
  });
  if (confirmationWait === null) return settleBooking(runner, started, partner.confirmationMs);
  await waitForCall(runner, bookAppointment, started, confirmationWait.waitMs);
  return { view: await readAgain(runner, started), failure: null };
}
