import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';
import { failureCode } from './envelope.ts';

const tokenCodes = new Set([401, 403]);

/** Most errors come with status 200 and are identified by `code`. */
export function findRenphoRefusal({ body }: Pick<JudgedResponse, 'body'>): ProviderVerdict | null {
  const code = failureCode(body);
  if (code === null) return null;
  if (tokenCodes.has(code)) return { code: 'provider_token_expired' };
  return { code: code === 429 ? 'provider_rate_limited' : 'provider_transient' };
}

export function classifyRenpho(response: JudgedResponse): ProviderVerdict {
  return tokenCodes.has(response.status) ? { code: 'provider_token_expired' } : classifyByStatus(response);
}
