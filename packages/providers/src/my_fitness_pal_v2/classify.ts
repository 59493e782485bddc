import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

/** A missing permission is the only 403 in the reference. */
export function classifyMyFitnessPal(response: JudgedResponse): ProviderVerdict {
  return response.status === 403 ? { code: 'provider_scope_missing' } : classifyByStatus(response);
}
