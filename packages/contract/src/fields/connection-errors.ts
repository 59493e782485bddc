import { openEnum } from './fields.ts';

/** Why a connection stopped until the person connects again. */
export const connectionErrorTypes = [
  'token_refresh_failed',
  'webhook_registration_failed',
  'user_not_found',
  'deregistered_per_provider',
  'required_scopes_not_granted',
  'provider_credential_error',
  'provider_password_expired',
  'unknown',
] as const;
export type ConnectionErrorType = (typeof connectionErrorTypes)[number];

export const ConnectionErrorTypeSchema = openEnum(connectionErrorTypes);
