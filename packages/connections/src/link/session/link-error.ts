import type { LinkErrorType } from '@pulsewire/contract';
import { AppError, isAppError } from '@pulsewire/kernel';

/** A rejected link as an error: code `link_refused`, the type in `details.errorType`, a message for developers. */
export function linkError(errorType: LinkErrorType, message: string, cause?: unknown): AppError {
  return new AppError({ code: 'link_refused', kind: 'invalid', message, details: { errorType }, cause });
}

/** The link error type of anything thrown; null when it is not a rejected link. */
export function linkErrorType(error: unknown): LinkErrorType | null {
  return isAppError(error) && error.code === 'link_refused' ? (error.details['errorType'] as LinkErrorType) : null;
}

/**
 * Converts what an attempt threw to a link error where the provider failed or rejected the link, or the user was deleted. Anything else is
 * an internal failure and is returned unchanged.
 */
export function asLinkError(error: unknown): unknown {
  if (error instanceof Error && error.name === 'TimeoutError')
    return linkError('provider_api_error', 'The provider did not respond in time', error);
  if (linkErrorType(error) !== null || !isAppError(error)) return error;
  if (error.code === 'user_not_found' || error.code === 'user_deleted')
    return linkError('invalid_token', 'The user of this link has been deleted', error);
  if (error.code === 'user_is_demo' || error.code === 'user_is_not_demo') return linkError('invalid_token', error.message, error);
  if (error.code === 'provider_not_configured') return linkError('provider_credential_error', error.message, error);
  if (error.code === 'provider_unknown' || error.code === 'provider_off' || error.code === 'provider_discontinued')
    return linkError('provider_api_error', error.message, error);
  if (error.code === 'provider_configuration')
    return linkError('provider_api_error', "The provider refuses the operator's application, not the user", error);
  if (!error.code.startsWith('provider_') && !error.code.startsWith('oauth_')) return error;
  if (error.retryable) return linkError('provider_api_error', 'The provider could not be reached or failed', error);
  return linkError('provider_credential_error', 'The provider refused the authorization', error);
}
