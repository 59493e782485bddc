/** Why a request was refused, independent of the provider's error codes. */
export type RefusalReason =
  | 'token_invalid'
  | 'token_expired'
  | 'scope_missing'
  | 'forbidden'
  | 'client_invalid'
  | 'grant_invalid'
  | 'grant_type_unsupported'
  | 'request_invalid'
  | 'not_found'
  | 'rate_limited'
  | 'conflict'
  | 'account_state'
  | 'server_error';

const statusOf: Readonly<Record<RefusalReason, number>> = {
  token_invalid: 401,
  token_expired: 401,
  scope_missing: 403,
  forbidden: 403,
  client_invalid: 401,
  grant_invalid: 400,
  grant_type_unsupported: 400,
  request_invalid: 400,
  not_found: 404,
  rate_limited: 429,
  conflict: 409,
  account_state: 403,
  server_error: 500,
};

/** An error response. Thrown by handlers; the definition's `refuse` renders it in the provider's format. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly reason: RefusalReason;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    reason: RefusalReason,
    message: string,
    options: { readonly status?: number; readonly headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.reason = reason;
    this.status = options.status ?? statusOf[reason];
    this.headers = options.headers ?? {};
  }
}

/** 400: the request is invalid. */
export function invalid(message: string): RefusalError {
  return new RefusalError('request_invalid', message);
}
