import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';
import { isSessionGone, readCode } from './error-code.ts';

/** An expired session is an expired token: the credentials open the next one. A call that Share rejects as invalid is permanent. */
export function classifyDexcom(response: JudgedResponse): ProviderVerdict {
  if (isSessionGone(response.body)) return { code: 'provider_token_expired' };
  if (readCode(response.body)?.code === 'InvalidArgument') return { code: 'provider_permanent' };
  return classifyByStatus(response);
}
