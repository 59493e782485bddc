import { isTransientStatus } from './http/statuses.ts';
import { readRetryAfterMs } from './http/provider-retry-after.ts';
import type { Connector, JudgedResponse, ProviderVerdict, ScopeNeeds } from './types/connector.ts';

/** Empty defaults of optional features: spread them first, then set the ones that the connector supports. */
export const connectorDefaults = {
  sourceKind: 'provider',
  oauth: null,
  password: null,
  email: null,
  push: null,
  quotas: [],
} as const satisfies Partial<Connector>;

/** Scopes without which a resource is not available. */
export function needs(...required: string[]): ScopeNeeds {
  return { required, optional: [] };
}

/** The usual meaning of error statuses. A connector checks its own table first and uses this for the rest. */
export function classifyByStatus({ status, headers }: Pick<JudgedResponse, 'status' | 'headers'>): ProviderVerdict {
  const retryAfterMs = readRetryAfterMs(headers);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429) return { code: 'provider_rate_limited', ...wait };
  if (isTransientStatus(status)) return { code: 'provider_transient', ...wait };
  return { code: status === 401 ? 'provider_token_expired' : 'provider_permanent' };
}
