import { classifyByStatus } from '../kit/connector-defaults.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

/** The machine-readable reasons of an error body; some errors have none. */
function readReasons(body: unknown): string[] {
  const details = new JsonNode(body).at('error').at('details').value;
  if (!Array.isArray(details)) return [];
  return details.slice(0, 20).flatMap((detail: unknown) => {
    const reason = new JsonNode(detail).at('reason').value;
    return typeof reason === 'string' ? [reason] : [];
  });
}

/**
 * Google's error model. An account without a Google Health profile, or one that still signs in with Fitbit, is refused with a 400 or,
 * in older wording, with a 403 that names no scope: the connection stays and is tried again at long intervals.
 */
export function classifyGoogleHealth(response: JudgedResponse): ProviderVerdict {
  const reasons = readReasons(response.body);
  if (reasons.includes('ACCOUNT_NOT_LINKED')) return { code: 'provider_account_state', details: { reason: 'account_not_linked' } };
  if (response.status !== 403) return classifyByStatus(response);
  const isScope = reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT');
  if (reasons.includes('RATE_LIMIT_EXCEEDED')) return { code: 'provider_rate_limited' };
  return { code: isScope ? 'provider_scope_missing' : 'provider_account_state' };
}
