import type { ErrorCodeTable } from './error-code-entry.ts';

/** Codes of errors about calls to providers, pulls and notifications: kind, what it means and what to do. */
export const providerCodes = {
  address_blocked: [
    'upstream',
    'The address or port may not be called. Allow private networks with the setting for outbound networks if this is intended.',
  ],
  response_too_large: ['upstream', 'The response exceeds the size limit.'],
  app_subscription_missing: [
    'unavailable',
    'The application has not subscribed to notifications yet. The subscription is tried again by itself.',
  ],
  body_too_large: ['invalid', 'A body is larger than allowed. Send it in parts.'],
  connect_timeout: ['upstream', 'The connection could not be opened in time.'],
  dns_failed: ['upstream', 'The host name cannot be resolved. Check the URL and the name servers.'],
  http1_required: ['upstream', 'The receiver speaks only HTTP/2. Let it accept HTTP/1.1.'],
  jobs_not_installed: [
    'invalid',
    'The job queues are missing or out of date, or this database role has no rights on them. Run `npm run admin -- migrate` and `npm run admin -- database grant <role>` with the DATABASE_URL of the owner.',
  ],
  network_invalid: ['invalid', 'An allowed network must be an address or a CIDR network.'],
  not_in_vault: ['not_found', 'The vault has no response to this request.'],
  oauth_code_rejected: ['invalid', 'The provider rejected the authorization code.'],
  oauth_too_many_tokens: [
    'conflict',
    'The account has too many tokens of this application in force. The user must remove one at the provider.',
  ],
  provider_account_state: [
    'upstream',
    'The state of the provider account does not allow this call. The user must change it at the provider.',
  ],
  provider_configuration: ['upstream', "The provider refuses the operator's application: its keys, project or approval must be corrected."],
  provider_discontinued: ['upstream', 'The provider has shut this interface down. Its connections end.'],
  provider_permanent: ['upstream', 'The provider rejected this call, and would again. What it concerned is left out and listed.'],
  provider_quota_spent: ['rate_limited', 'No quota is left for this call. The pull continues when the quota is free.'],
  provider_rate_limited: [
    'rate_limited',
    'The provider refused a call because of its rate limit. The pull continues when the quota is free.',
  ],
  provider_scope_missing: ['forbidden', 'The user did not grant a scope that this call needs. Only that data is missing.'],
  provider_token_expired: ['unauthorized', 'The provider requires a new access token. It is renewed at once.'],
  provider_transient: ['unavailable', 'The provider is temporarily unavailable. The call is repeated.'],
  provider_without_oauth: ['bug', 'This provider has no consent page.'],
  push_body_missing: ['bug', 'Part of a pushed body is missing.'],
  push_not_configured: [
    'invalid',
    'Notifications need a public address and a verification code. Set BASE_URL and the verification code of the provider.',
  ],
  push_unreadable: ['invalid', 'The notification has an unknown format.'],
  renewal_unreadable: ['bug', 'The stored login credentials cannot be parsed.'],
  push_capacity_exceeded: ['unavailable', 'Too many bodies are being received. The provider sends the notification again.'],
  subscription_id_too_long: ['bug', 'Fitbit accepts subscription ids of at most 50 characters.'],
  vault_run_gone: ['not_found', 'The responses have been erased or dropped in the meantime.'],
  vault_unreadable: ['bug', 'Stored responses cannot be read. Restore their encryption key.'],
  window_deadline: ['unavailable', 'A window took longer than its deadline. It is read again.'],
  window_exceeds_quota: [
    'rate_limited',
    'A day of this window needs more calls than the daily quota allows. It is given up and tried again on another day.',
  ],
  window_lost: ['conflict', 'Another worker has taken over this window, and reads it.'],
  window_stale: ['unavailable', 'The provider can no longer continue where this window was interrupted. It is read from its beginning.'],
  window_stopped: ['unavailable', 'The window was stopped with its process. It is read again.'],
} as const satisfies ErrorCodeTable;
