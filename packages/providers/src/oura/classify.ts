import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedAnswer, ProviderVerdict } from '../kit/types/connector.ts';

/**
 * 403: the user's membership has lapsed, 426: the app on the phone is too old. Both may pass, and neither is a matter of the
 * consent. A 401 may also come from a scope that was not granted; a fresh token tells.
 */
export function classifyOura(answer: JudgedAnswer): ProviderVerdict {
  if (answer.status === 403 || answer.status === 426) return { code: 'provider_account_state' };
  return classifyByStatus(answer);
}
