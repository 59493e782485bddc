import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedAnswer, ProviderVerdict } from '../kit/types.ts';

/** 403: the user keeps that to himself, above all the history. */
export function classifyGarmin(answer: JudgedAnswer): ProviderVerdict {
  return answer.status === 403 ? { code: 'provider_scope_missing' } : classifyByStatus(answer);
}
