/**
 * OAuth error codes with which an authorization server rejects the application and not the user: its id or secret, its redirect address, or the
 * scopes that it may request. The last two are Google's.
 */
const applicationErrors = [
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'redirect_uri_mismatch',
  'unsupported_grant_type',
  'unsupported_response_type',
  'deleted_client',
  'disabled_client',
] as const;

export type ApplicationError = (typeof applicationErrors)[number];

const known: ReadonlySet<string> = new Set(applicationErrors);

/** Whether an OAuth error of the consent page or the token endpoint is the operator's to correct. */
export function isConfigurationError(error: string | null | undefined): error is ApplicationError {
  return typeof error === 'string' && known.has(error);
}
