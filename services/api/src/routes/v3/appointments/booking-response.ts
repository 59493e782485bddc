import { renderAppointment, type BookingOutcome } from '@pulsewire/labs';
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
