import { isAppError, isTransient, type AppError, type ErrorKind } from '@pulsewire/kernel';
import { linkErrorType } from '@pulsewire/connections';
import { renderDateTime } from '@pulsewire/contract';
import type { RouteResponse } from '../../route/route.ts';

const statuses: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  upstream: 502,
  unavailable: 503,
  bug: 500,
};

const internal: RouteResponse = { status: 500, body: { detail: 'Internal server error' } };

const away: RouteResponse = {
  status: 503,
  headers: { 'retry-after': '2' },
  body: { detail: 'The service is unavailable for the moment. Send the request again' },
};

function retryAfter(error: AppError): Record<string, string> {
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 1000) / 1000));
  return error.kind === 'rate_limited' || error.kind === 'unavailable' ? { 'retry-after': String(seconds) } : {};
}

// Errors with a structured `detail`.
const coded: Readonly<Record<string, (error: AppError) => object>> = {
  client_user_id_taken_at_creation: (error) => ({
    error_type: 'INVALID_REQUEST',
    error_message: error.message,
    user_id: error.details['userId'],
    created_on: renderDateTime((error.details['createdAt'] as Date).getTime()),
  }),
  sandbox_users_exhausted: (error) => ({ error_type: 'INVALID_REQUEST', error_message: error.message }),
  link_refused: (error) => ({ error_type: linkErrorType(error), error_message: error.message }),
};

// Errors of the HTTP layer, by the framework's code.
const refused: Readonly<Record<string, RouteResponse>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, body: { detail: 'The body is too large' } },
  body_too_large: { status: 413, body: { detail: 'The body, or one of its items, is too large' } },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, body: { detail: 'The body does not match its Content-Length' } },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, body: { detail: 'Malformed Content-Type' } },
  FST_ERR_BAD_URL: { status: 404, body: { detail: 'Not found' } },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, body: { detail: 'Not found' } },
};

/** The response to any thrown value. Only messages of our own errors are sent; everything else is 500. */
export function errorResponse(error: unknown): RouteResponse {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (refused[code]) return refused[code];
  // The database is away, or was left because it can only be read: nothing was done, and the same request may succeed soon.
  if (!isAppError(error) && isTransient(error)) return away;
  if (!isAppError(error) || error.kind === 'bug') return internal;
  if (code === 'request_invalid') return { status: 422, body: { detail: error.details['errors'] } };
  const detail = coded[code]?.(error) ?? error.message;
  return { status: statuses[error.kind], headers: retryAfter(error), body: { detail } };
}
