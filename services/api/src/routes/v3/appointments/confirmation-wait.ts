import type { Static } from 'typebox';
import type { BookAppointmentBody } from '@pulsewire/contract';
import type { ConfirmationWait } from '@pulsewire/labs';

/** How long a request waits for a booking, and how long the booking may take. */
export function confirmationWaitOf(body: Static<typeof BookAppointmentBody>): ConfirmationWait {
  if (!body.async_confirmation) return null;
  const { sync_confirmation_timeout_millisecond: waitMs, async_confirmation_timeout_millisecond: confirmMs } = body;
  return { waitMs: waitMs ?? 2500, confirmMs: confirmMs ?? 900_000 };
}
