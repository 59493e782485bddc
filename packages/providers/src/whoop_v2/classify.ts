import { classifyByStatus } from '../kit/connector-defaults.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { JudgedResponse, ProviderVerdict, QuotaState } from '../kit/types/connector.ts';

type Headers = Readonly<Record<string, string | undefined>>;

function readCount(headers: Headers, name: string): number | undefined {
  const count = /^\s*(\d{1,9})(?!\d)/.exec(headers[name] ?? '')?.[1];
  return count === undefined ? undefined : Number(count);
}

/**
 * `X-RateLimit-*`: requests of the whole application. `Limit` begins with the limit that is closest to exhaustion, followed by
 * all of them; `Reset` is in seconds from now, not a time of day.
 */
export function readWhoopQuotas(headers: Headers): readonly QuotaState[] {
  const limit = readCount(headers, 'x-ratelimit-limit');
  const remaining = readCount(headers, 'x-ratelimit-remaining');
  const resetSeconds = readCount(headers, 'x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return [];
  const windowSeconds = new RegExp(`\\b${limit};window=(\\d{1,9})`).exec(headers['x-ratelimit-limit'] ?? '')?.[1];
  const window = windowSeconds === undefined ? {} : { perMs: Number(windowSeconds) * 1000 };
  return [{ scope: 'app', ...window, limit, remaining, resetAfterMs: resetSeconds * 1000 }];
}

/** A 401 may be an expired token or a withdrawn consent: the refresh that follows distinguishes the two. */
export function classifyWhoop(response: JudgedResponse): ProviderVerdict {
  const verdict = classifyByStatus(response);
  const resetSeconds = readCount(response.headers, 'x-ratelimit-reset');
  const hasNoPause = verdict.code === 'provider_rate_limited' && verdict.retryAfterMs === undefined;
  return hasNoPause && resetSeconds !== undefined ? { ...verdict, retryAfterMs: resetSeconds * 1000 } : verdict;
}

/** WHOOP returns `invalid_request` for a refresh token that was already used or revoked. */
export function readWhoopTokenError({ status, body }: { readonly status: number; readonly body: unknown }): string | null {
  return status === 400 && new JsonNode(body).at('error').value === 'invalid_request' ? 'invalid_grant' : null;
}
