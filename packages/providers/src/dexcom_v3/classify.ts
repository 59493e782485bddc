import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedAnswer, ProviderVerdict } from '../kit/types/connector.ts';

/** 403: the account lives in another region, or our application is not let in. Neither is a matter of the consent. */
export function classifyDexcom(answer: JudgedAnswer): ProviderVerdict {
  return answer.status === 403 ? { code: 'provider_account_state' } : classifyByStatus(answer);
}
