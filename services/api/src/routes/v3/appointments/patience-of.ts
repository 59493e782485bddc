import type { Static } from 'typebox';
import type { BookAppointmentBody } from '@pulsewire/contract';
import type { Patience } from '@pulsewire/labs';

/** How long a request waits for a booking, and how long the booking may take. */
export function patienceOf(body: Static<typeof BookAppointmentBody>): Patience {
  if (!body.async_confirmation) return null;
  const { sync_confirmation_timeout_millisecond: waitMs, async_confirmation_timeout_millisecond: confirmMs } = body;
  return { waitMs: waitMs ?? 2500, confirmMs: confirmMs ?? 900_000 };
}
