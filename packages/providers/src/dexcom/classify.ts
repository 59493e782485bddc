import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';
import { isSessionGone, readCode } from './error-code.ts';

/** An expired session is an expired token: the credentials open the next one. A call that Share rejects as invalid is permanent. */
export function classifyDexcom(answer: JudgedResponse): ProviderVerdict {
  if (isSessionGone(answer.body)) return { code: 'provider_token_expired' };
  if (readCode(answer.body)?.code === 'InvalidArgument') return { code: 'provider_permanent' };
  return classifyByStatus(answer);
}
