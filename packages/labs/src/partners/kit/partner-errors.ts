import { AppError } from '@pulsewire/kernel';

/** Final: the partner refused. The message is shown to teams. */
export function partnerRefused(message: string): AppError {
  return new AppError({ code: 'partner_refused', kind: 'upstream', message });
}

/** Final: the slot was taken by another booking, or has begun. */
export function partnerSlotGone(): AppError {
  return new AppError({ code: 'partner_slot_gone', kind: 'upstream', message: 'The slot is no longer available' });
}

/** The partner did not respond: whether the call took effect is unknown. */
export function partnerTimeout(cause?: unknown): AppError {
  return new AppError({ code: 'partner_timeout', kind: 'unavailable', message: 'The partner did not respond in time', cause });
}

/** A webhook that is not from the partner, or is unreadable. */
export function pushRefused(message: string): AppError {
  return new AppError({ code: 'push_refused', kind: 'forbidden', message });
}
