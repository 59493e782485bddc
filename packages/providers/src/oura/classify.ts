import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

/**
 * 403: the user's membership has lapsed, 426: the app on the phone is too old. Both may be temporary, and neither affects the
 * consent. A 401 may also come from a scope that was not granted; a retry with a fresh token distinguishes the two.
 */
export function classifyOura(response: JudgedResponse): ProviderVerdict {
  if (response.status === 403 || response.status === 426) return { code: 'provider_account_state' };
  return classifyByStatus(response);
}
