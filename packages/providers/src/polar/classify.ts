import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';
import { readPolarQuotas } from './quotas.ts';

/**
 * 403: the user is not registered, or has not accepted or has withdrawn a consent at Polar; the next refresh of the account
 * registers the user. Tokens cannot be renewed, so a 401 ends the connection.
 */
export function classifyPolar(response: JudgedResponse): ProviderVerdict {
  if (response.status === 403) return { code: 'provider_account_state' };
  const verdict = classifyByStatus(response);
  if (verdict.code !== 'provider_rate_limited' || verdict.retryAfterMs !== undefined) return verdict;
  const waits = readPolarQuotas(response.headers).flatMap(({ remaining, resetAfterMs }) => (remaining === 0 ? [resetAfterMs] : []));
  return waits.length === 0 ? verdict : { ...verdict, retryAfterMs: Math.max(...waits) };
}
