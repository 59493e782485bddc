import type { ErrorCodeTable } from './error-code-entry.ts';

/** Codes of errors about requests to the API: kind, what it means and what to do. */
export const requestCodes = {
  responses_unread: [
    'rate_limited',
    'Responses of earlier requests with this key have not been read yet. Read them before sending further requests.',
  ],
  app_credentials_invalid: ['unauthorized', 'app_id is not the id of the team of app_secret. Send the pair of one team.'],
  batch_unreadable: ['invalid', 'The batch of a phone cannot be read. The response names the fields; correct the SDK or its version.'],
  body_not_received: ['invalid', 'The body ended early. Send it again.'],
  client_user_id_taken_at_creation: ['invalid', 'A user with this client_user_id exists. Read that user by it, or choose another one.'],
  device_not_found: ['not_found', 'Device not found.'],
  hypnogram_removed: ['not_found', 'The hypnogram has been removed; read /v2/summary/sleep_cycle instead.'],
  key_address_refused: ['forbidden', 'The API key may not be used from this address. Add the address to allowed_addresses of the key.'],
  key_invalid: ['unauthorized', 'The API key is missing, unknown, revoked or expired. Send a valid one in x-service-api-key.'],
  key_limits_exceeded: ['forbidden', 'An API key cannot grant more than its own addresses and expiry. Use a key without these limits.'],
  key_scope_missing: ['forbidden', 'The API key lacks a scope that this operation needs, or would grant. Use a key that has it.'],
  multipart_malformed: ['invalid', 'The body is not valid multipart/form-data.'],
  order_set_missing: ['invalid', 'order_set or lab_test_id must be given.'],
  order_without_address: ['not_found', 'The order has no address yet.'],
  no_fields_to_update: ['invalid', 'The body contains no field that can be changed. Send at least one.'],
  phone_busy: ['unavailable', 'This phone or user sends more than is accepted at once. Retry after the time in Retry-After.'],
  phone_token_foreign: ['forbidden', 'The token belongs to another user. Use the token of the user in the address.'],
  profile_not_found: ['not_found', 'No provider has sent a profile for this user.'],
  rate_limit_exceeded: ['rate_limited', 'Too many requests with this API key. Retry after the time in Retry-After.'],
  requests_crowded: ['rate_limited', 'The team has as many requests running and waiting as allowed. Retry after the time in Retry-After.'],
  refresh_token_unknown: ['not_found', 'The refresh token is unknown, used or revoked. Sign in again.'],
  sleep_not_found: ['not_found', 'Sleep not found.'],
  too_many_failed_keys: ['rate_limited', 'Too many unknown API keys from this address; retry later.'],
  workout_not_found: ['not_found', 'Workout not found.'],
} as const satisfies ErrorCodeTable;
