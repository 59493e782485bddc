import type { Connector } from './types/connector.ts';

/** Names of scopes at the provider. */
export interface ScopeSet {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** Whether a connection provides a resource. */
export interface ResourceAvailability {
  readonly status: 'available' | 'unavailable';
  /** null for providers without scopes. */
  readonly scope_requirements: { readonly user_granted: ScopeSet; readonly user_denied: ScopeSet } | null;
}

/** Every scope that the connector requests; none without OAuth. */
export function scopesOf({ oauth }: Pick<Connector, 'oauth'>): readonly string[] {
  return oauth?.scopes ?? [];
}

/**
 * Every resource of the connector with its availability: available when each required scope is granted. `deniedScopes`
 * are the scopes that were requested and denied; by default all requested scopes that were not granted.
 */
export function resourceAvailability(
  connector: Pick<Connector, 'resources' | 'oauth'>,
  grantedScopes: readonly string[],
  deniedScopes: readonly string[] = scopesOf(connector).filter((scope) => !grantedScopes.includes(scope)),
): Record<string, ResourceAvailability> {
  if (scopesOf(connector).length === 0) {
    return Object.fromEntries(Object.keys(connector.resources).map((name) => [name, { status: 'available', scope_requirements: null }]));
  }
  const granted = new Set(grantedScopes);
  const denied = new Set(deniedScopes);
  const pick = (needs: ScopeSet, from: ReadonlySet<string>): ScopeSet => ({
    required: needs.required.filter((scope) => from.has(scope)),
    optional: needs.optional.filter((scope) => from.has(scope)),
  });
  return Object.fromEntries(
    Object.entries(connector.resources).map(([name, needs]): [string, ResourceAvailability] => [
      name,
      {
        status: needs.required.every((scope) => granted.has(scope)) ? 'available' : 'unavailable',
        scope_requirements: { user_granted: pick(needs, granted), user_denied: pick(needs, denied) },
      },
    ]),
  );
}
