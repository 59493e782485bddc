import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

/** 403: the account is in another region, or our application has no access. Neither is a matter of consent. */
export function classifyDexcom(answer: JudgedResponse): ProviderVerdict {
  return answer.status === 403 ? { code: 'provider_account_state' } : classifyByStatus(answer);
}
