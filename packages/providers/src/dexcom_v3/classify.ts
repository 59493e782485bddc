import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

/** 403: the account is in another region, or our application has no access. Neither is a matter of consent. */
export function classifyDexcom(response: JudgedResponse): ProviderVerdict {
  return response.status === 403 ? { code: 'provider_account_state' } : classifyByStatus(response);
}
