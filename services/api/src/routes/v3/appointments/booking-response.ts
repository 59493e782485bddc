import type { BookAppointmentBody } from '@pulsewire/contract';
import { renderAppointment, type BookingOutcome, type ConfirmationWait } from '@pulsewire/labs';
import type { Static } from 'typebox';
import { ok, type RouteResponse } from '../../../route/route.ts';

/** The appointment, or a failure with the reason why the change failed. */
export function bookingResponse(
  { view, failure }: BookingOutcome,
  statuses: { readonly slotGone: number } = { slotGone: 500 },
): RouteResponse {
  const concern = { userId: view.userId };
  if (failure === null) return ok(renderAppointment(view), concern);
  const status = failure.reason === 'slot_gone' ? statuses.slotGone : 500;
  return { status, body: { detail: failure.message }, concerns: concern };
}

/** How long a request waits for a booking, and how long the booking may take. */
export function confirmationWaitOf(body: Static<typeof BookAppointmentBody>): ConfirmationWait {
  if (!body.async_confirmation) return null;
  const { sync_confirmation_timeout_millisecond: waitMs, async_confirmation_timeout_millisecond: confirmMs } = body;
  return { waitMs: waitMs ?? 2500, confirmMs: confirmMs ?? 900_000 };
}
