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

/**
 * Whatever a try threw, as a link error where it is one: a provider that fails or refuses, a user who is gone. Anything else,
 * a failure of ours, comes back as it is.
 */
export function asLinkError(error: unknown): unknown {
  if (error instanceof Error && error.name === 'TimeoutError')
    return linkError('provider_api_error', 'The provider did not answer in time', error);
  if (linkErrorType(error) !== null || !isAppError(error)) return error;
  if (error.code === 'user_not_found' || error.code === 'user_deleted')
    return linkError('invalid_token', 'The user of this link is gone', error);
  if (error.code === 'user_is_demo' || error.code === 'user_is_not_demo') return linkError('invalid_token', error.message, error);
  if (error.code === 'provider_not_configured') return linkError('provider_credential_error', error.message, error);
  if (error.code === 'provider_unknown' || error.code === 'provider_off') return linkError('provider_api_error', error.message, error);
  if (!error.code.startsWith('provider_') && !error.code.startsWith('oauth_')) return error;
  if (error.retryable) return linkError('provider_api_error', 'The provider could not be reached or failed', error);
  return linkError('provider_credential_error', 'The provider refused the authorization', error);
}
