import { isTransientStatus } from './http/statuses.ts';
import { readRetryAfterMs } from './http/provider-retry-after.ts';
import type { Connector, JudgedResponse, ProviderEndpoints, ProviderVerdict, ScopeNeeds } from './types/connector.ts';

/** Empty defaults of optional features: spread them first, then set the ones that the connector supports. */
export const connectorDefaults = {
  sourceKind: 'provider',
  oauth: null,
  password: null,
  email: null,
  push: null,
  quotas: [],
  /** What the link has found out is all that is known of the account. */
  account: ({ providerUserId = null, previous = {} }) => Promise.resolve({ providerUserId, account: { ...previous } }),
  classify: classifyByStatus,
} as const satisfies Partial<Connector>;

/** As `connectorDefaults`, of a connector whose users sign in with a password. */
export const passwordDefaults = { ...connectorDefaults, authType: 'password' } as const satisfies Partial<Connector>;

/** The addresses of a provider without OAuth. */
export function addressesWithoutOAuth(
  apiBaseUrl: string,
  more: Pick<ProviderEndpoints, 'regionUrls' | 'linkDomain'> = {},
): ProviderEndpoints {
  return { apiBaseUrl, ...more, authorizeUrl: null, tokenUrl: null, revokeUrl: null };
}

/** Scopes without which a resource is not available. */
export function needs(...required: string[]): ScopeNeeds {
  return { required, optional: [] };
}

/** Resources that need no scope. */
export function withoutScopes<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, ScopeNeeds>> {
  return Object.fromEntries(names.map((name) => [name, needs()])) as Record<Name, ScopeNeeds>;
}

/** Classifies by the status, some of which have a meaning of their own at this provider. */
export function classifyStatuses(meanings: Readonly<Record<number, ProviderVerdict['code']>>) {
  return (response: JudgedResponse): ProviderVerdict => {
    const code = meanings[response.status];
    return code === undefined ? classifyByStatus(response) : { code };
  };
}

/** The usual meaning of error statuses. A connector checks its own table first and uses this for the rest. */
export function classifyByStatus({ status, headers }: Pick<JudgedResponse, 'status' | 'headers'>): ProviderVerdict {
  const retryAfterMs = readRetryAfterMs(headers);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429) return { code: 'provider_rate_limited', ...wait };
  if (isTransientStatus(status)) return { code: 'provider_transient', ...wait };
  return { code: status === 401 ? 'provider_token_expired' : 'provider_permanent' };
}
