import { classifyByStatus } from '../kit/connector-defaults.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { readRetryAfterMs } from '../kit/http/provider-retry-after.ts';
import type { JudgedResponse, ProviderErrorCode, ProviderVerdict, QuotaState } from '../kit/types/connector.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const byErrorType: Readonly<Record<string, ProviderErrorCode>> = {
  expired_token: 'provider_token_expired',
  // Also returned after a withdrawn consent; the following token refresh distinguishes the two.
  invalid_token: 'provider_token_expired',
  invalid_grant: 'provider_consent_revoked',
  insufficient_scope: 'provider_scope_missing',
  insufficient_permissions: 'provider_scope_missing',
  system: 'provider_transient',
};

function readCount(headers: Headers, name: string): number | undefined {
  const text = headers[name]?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** `Fitbit-Rate-Limit-*`: this user's requests in the current hour. `Reset` is in seconds from now, not a time of day. */
export function readFitbitQuotas(headers: Headers): readonly QuotaState[] {
  const limit = readCount(headers, 'fitbit-rate-limit-limit');
  const remaining = readCount(headers, 'fitbit-rate-limit-remaining');
  const resetSeconds = readCount(headers, 'fitbit-rate-limit-reset');
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return [];
  return [{ scope: 'user', perMs: 3_600_000, limit, remaining, resetAfterMs: resetSeconds * 1000 }];
}

function errorTypeOf(body: unknown): string {
  const errors = new JsonNode(body).at('errors').value;
  const type = Array.isArray(errors) ? new JsonNode(errors[0]).at('errorType').value : undefined;
  return typeof type === 'string' ? type : '';
}

function limited(headers: Headers): ProviderVerdict {
  const resetSeconds = readCount(headers, 'fitbit-rate-limit-reset');
  const retryAfterMs = readRetryAfterMs(headers) ?? (resetSeconds === undefined ? undefined : resetSeconds * 1000);
  return { code: 'provider_rate_limited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Google responds to every request with this status since it has shut the API down, at the token endpoint too. */
const gone = 410;

export function readFitbitTokenError({ status }: Pick<JudgedResponse, 'status'>): string | null {
  return status === gone ? 'discontinued' : null;
}

/** Maps Fitbit's errors to the shared codes: by status where that is unambiguous, else by the error type in the body. */
export function classifyFitbit(response: JudgedResponse): ProviderVerdict {
  const { status, headers, body } = response;
  if (status === 429) return limited(headers);
  if (status === gone) return { code: 'provider_discontinued' };
  const plain = classifyByStatus(response);
  if (plain.code === 'provider_transient') return plain;
  const errorType = errorTypeOf(body);
  const code = Object.hasOwn(byErrorType, errorType) ? byErrorType[errorType] : undefined;
  return { code: code ?? plain.code };
}
