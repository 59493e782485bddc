import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedAnswer, ProviderVerdict } from '../kit/types/connector.ts';
import { isSessionGone, readCode } from './error-code.ts';

/** A session that is gone is an expired token: the credentials bring the next one. A call that Share finds wrong stays wrong. */
export function classifyDexcom(answer: JudgedAnswer): ProviderVerdict {
  if (isSessionGone(answer.body)) return { code: 'provider_token_expired' };
  if (readCode(answer.body)?.code === 'InvalidArgument') return { code: 'provider_permanent' };
  return classifyByStatus(answer);
}
