import type { ApiResponse, Trouble } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';

/** A refusal with one of Google's reasons, which differ within a status. */
class ReasonedRefusalError extends RefusalError {
  readonly word: string;

  constructor(reason: RefusalError['reason'], word: string, message: string, status: number) {
    super(reason, message, { status });
    this.word = word;
  }
}

/** 400: the message decides what is wrong. */
export function badArgument(message: string): RefusalError {
  return new ReasonedRefusalError('request_invalid', 'invalidArgument', message, 400);
}

export function noSource(dataTypeName: string): RefusalError {
  return badArgument(`no default datasource found for: ${dataTypeName}`);
}

export function noScope(message: string): RefusalError {
  return new ReasonedRefusalError('scope_missing', 'insufficientPermissions', message, 403);
}

export function privateSource(): RefusalError {
  return new ReasonedRefusalError('forbidden', 'forbidden', 'No permission to read data for this private data source.', 403);
}

/** The user's own limit, with the status of a missing permission and no time to wait. */
export function tooFast(): RefusalError {
  return new ReasonedRefusalError('rate_limited', 'userRateLimitExceeded', 'User Rate Limit Exceeded', 403);
}

/** Of totals, which name a stream in another way than its points do. */
export function noStreamToAggregate(id: string): RefusalError {
  return badArgument(`datasource not found: ${id}`);
}

export function noStream(id: string): RefusalError {
  return new ReasonedRefusalError('not_found', 'notFound', `DataSourceId not found: ${id}`, 404);
}

const words: Readonly<Partial<Record<RefusalError['reason'], string>>> = {
  token_invalid: 'authError',
  token_expired: 'authError',
  rate_limited: 'rateLimitExceeded',
  request_invalid: 'invalidArgument',
  not_found: 'notFound',
  server_error: 'backendError',
};

const oauthWords: Readonly<Partial<Record<RefusalError['reason'], string>>> = {
  grant_invalid: 'invalid_grant',
  client_invalid: 'invalid_client',
  grant_type_unsupported: 'unsupported_grant_type',
  request_invalid: 'invalid_request',
};

const bodyOf = (code: number, reason: string, message: string) => ({
  error: { code, message, errors: [{ domain: 'global', reason, message }] },
});

/** The limit of the whole application, and a project without the API; both with the status of a missing permission. */
export const googleFitTroubles: Readonly<Record<string, Trouble>> = {
  app_limited: (kind) =>
    kind.startsWith('oauth.') ? null : { status: 403, body: bodyOf(403, 'rateLimitExceeded', 'Rate Limit Exceeded') },
  api_not_enabled: (kind) =>
    kind.startsWith('oauth.') ? null : { status: 403, body: bodyOf(403, 'accessNotConfigured', 'Project 1 is not found') },
};

/** Google's older error model, and the plain one of its token address. */
export function refuseGoogleFit(refusal: RefusalError, endpoint: 'api' | 'oauth'): ApiResponse {
  const { reason, status, message } = refusal;
  if (endpoint === 'oauth') return { status, body: { error: oauthWords[reason] ?? reason, error_description: message } };
  const word = refusal instanceof ReasonedRefusalError ? refusal.word : (words[reason] ?? 'forbidden');
  return { status, body: bodyOf(status, word, message) };
}
