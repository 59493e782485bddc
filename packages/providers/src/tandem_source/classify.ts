import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

/** How long clients wait after the firewall has blocked them. */
const blockedMs = 30 * 60_000;

/** A 403 with a page instead of JSON comes from the firewall. */
export function classifyTandem(response: JudgedResponse): ProviderVerdict {
  if (response.status === 403 && response.body === undefined) return { code: 'provider_transient', retryAfterMs: blockedMs };
  return classifyByStatus(response);
}
