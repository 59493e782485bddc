import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedAnswer, ProviderVerdict } from '../kit/types/connector.ts';
import { readPolarQuotas } from './quotas.ts';

/**
 * 403: the user is not registered, or has not accepted or has withdrawn a consent at Polar; a new look at the account registers.
 * Tokens cannot be renewed, so a 401 ends the connection.
 */
export function classifyPolar(answer: JudgedAnswer): ProviderVerdict {
  if (answer.status === 403) return { code: 'provider_account_state' };
  const verdict = classifyByStatus(answer);
  if (verdict.code !== 'provider_rate_limited' || verdict.retryAfterMs !== undefined) return verdict;
  const waits = readPolarQuotas(answer.headers).flatMap(({ remaining, resetAfterMs }) => (remaining === 0 ? [resetAfterMs] : []));
  return waits.length === 0 ? verdict : { ...verdict, retryAfterMs: Math.max(...waits) };
}
