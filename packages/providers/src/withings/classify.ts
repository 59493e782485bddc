import { classifyByStatus } from '../kit/connector-defaults.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { JudgedResponse, ProviderErrorCode, ProviderVerdict } from '../kit/types/connector.ts';

const known: ReadonlyMap<number, ProviderErrorCode> = new Map([
  ...[100, 101, 102, 200, 401].map((status) => [status, 'provider_token_expired'] as const),
  ...[214, 277, 2553, 2554, 2555].map((status) => [status, 'provider_scope_missing'] as const),
  [522, 'provider_transient'],
  [524, 'provider_transient'],
  [601, 'provider_rate_limited'],
]);

/** The quota is per minute, and responses do not report how much of it is left. */
const quotaMs = 60_000;

/** The status in the envelope of every response; null when there is none. */
export function envelopeStatus(body: unknown): number | null {
  const { value } = new JsonNode(body).at('status');
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** Withings reports errors in the body, with HTTP 200. A status from 201 to 399 means that the request is wrong. */
export function findWithingsRefusal({ body }: JudgedResponse): ProviderVerdict | null {
  const status = envelopeStatus(body);
  if (status === 0) return null;
  if (status === null) return { code: 'provider_transient' };
  const isWrong = status > 200 && status < 400;
  const code = known.get(status) ?? (isWrong ? 'provider_permanent' : 'provider_transient');
  return code === 'provider_rate_limited' ? { code, retryAfterMs: quotaMs } : { code };
}

export const classifyWithings = classifyByStatus;

/** The error of the token service, which also reports errors with HTTP 200; null for a temporary error. */
export function readTokenError({ body }: { readonly body: unknown }): string | null {
  const status = envelopeStatus(body);
  if (status === null || status === 0) return null;
  const { value } = new JsonNode(body).at('error');
  const text = typeof value === 'string' ? value : '';
  if (/invalid[ _]?(?:refresh[ _]?token|code|grant)/i.test(text)) return 'invalid_grant';
  return /client/i.test(text) ? 'invalid_client' : null;
}
