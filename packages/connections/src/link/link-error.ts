import type { LinkErrorType } from '@pulsewire/contract';
import { AppError, isAppError } from '@pulsewire/kernel';

/** A refused link as an error: code `link_refused`, the type in `details.errorType`, a text for developers as the message. */
export function linkError(errorType: LinkErrorType, message: string, cause?: unknown): AppError {
  return new AppError({ code: 'link_refused', kind: 'invalid', message, details: { errorType }, cause });
}

/** The link error type of any thrown thing, or null when it is not a refused link. */
export function linkErrorType(error: unknown): LinkErrorType | null {
  return isAppError(error) && error.code === 'link_refused' ? (error.details['errorType'] as LinkErrorType) : null;
}
