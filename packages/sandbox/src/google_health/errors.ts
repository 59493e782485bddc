import type { ApiResponse, Trouble } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';

type Detail = Readonly<Record<string, unknown>>;

/** A refusal with the details of Google's error model. */
class DetailedRefusalError extends RefusalError {
  readonly details: readonly Detail[];

  constructor(message: string, details: readonly Detail[]) {
    super('request_invalid', message);
    this.details = details;
  }
}

const errorInfo = (reason: string, metadata: Readonly<Record<string, string>> = {}): Detail => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'health.googleapis.com',
  metadata,
});

/** The reason is the general one; what exactly is wrong stands in the metadata. */
export function badFilter(message: string, detailedReason: string): RefusalError {
  const detailed = `INVALID_DATA_POINT_FILTER_${detailedReason}`;
  return new DetailedRefusalError(`${detailed}: ${message}`, [errorInfo('INVALID_DATA_POINT_FILTER', { detailedReasons: detailed })]);
}

export function badRequest(reason: string, message: string): RefusalError {
  return new DetailedRefusalError(message, [errorInfo(reason)]);
}

/** A body that is not one of the call: no reason is given. */
export function badBody(field: string, description: string): RefusalError {
  const fieldViolations = [{ field, description }];
  return new DetailedRefusalError(`Invalid JSON payload received. ${description}`, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations },
  ]);
}

const statusWords: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const oauthWords: Readonly<Partial<Record<RefusalError['reason'], string>>> = {
  grant_invalid: 'invalid_grant',
  client_invalid: 'invalid_client',
  grant_type_unsupported: 'unsupported_grant_type',
  request_invalid: 'invalid_request',
};

function detailsOf(refusal: RefusalError): readonly Detail[] {
  if (refusal instanceof DetailedRefusalError) return refusal.details;
  if (refusal.reason === 'scope_missing') return [errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT')];
  if (refusal.reason === 'rate_limited')
    return [errorInfo('RATE_LIMIT_EXCEEDED'), { '@type': 'type.googleapis.com/google.rpc.QuotaFailure' }];
  return [];
}

const refusedData = (code: number, status: string, message: string, details: readonly Detail[]) => {
  const response: ApiResponse = { status: code, body: { error: { code, message, status, ...(details.length > 0 && { details }) } } };
  return (kind: string) => (kind.startsWith('oauth.') ? null : response);
};

/** An account that was never moved to Google, in the newer and the older wording; a project of the operator; a damaged consent. */
export const googleHealthTroubles: Readonly<Record<string, Trouble>> = {
  account_not_linked: refusedData(400, 'FAILED_PRECONDITION', 'The account is not linked.', [errorInfo('ACCOUNT_NOT_LINKED')]),
  account_legacy: refusedData(403, 'PERMISSION_DENIED', 'The caller does not have permission', []),
  project_without_api: refusedData(403, 'PERMISSION_DENIED', 'The API is not enabled.', [errorInfo('SERVICE_DISABLED')]),
  project_denied: refusedData(403, 'PERMISSION_DENIED', 'The project may not be used.', [errorInfo('USER_PROJECT_DENIED')]),
  roll_up_refused: (kind) =>
    kind === 'points.daily_roll_up'
      ? { status: 400, body: { error: { code: 400, message: 'range is too long', status: 'INVALID_ARGUMENT' } } }
      : null,
  devices_hidden: (kind) =>
    kind === 'devices' ? { status: 404, body: { error: { code: 404, message: 'Not found.', status: 'NOT_FOUND' } } } : null,
  consent_damaged: refusedData(403, 'PERMISSION_DENIED', 'Permission denied.', [errorInfo('RESOURCE_PERMISSION_DENIED')]),
};

/** Google's error model, and the plain one of its token address. */
export function refuseGoogleHealth(refusal: RefusalError, endpoint: 'api' | 'oauth'): ApiResponse {
  const { reason, status, message } = refusal;
  if (endpoint === 'oauth') return { status, body: { error: oauthWords[reason] ?? reason, error_description: message } };
  const details = detailsOf(refusal);
  const error = { code: status, message, status: statusWords[status] ?? 'UNKNOWN', ...(details.length > 0 && { details }) };
  return { status, body: { error } };
}
