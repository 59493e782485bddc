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
 * Every resource of the provider with its availability: available when the connector reads it and each required scope is granted. `deniedScopes`
 * are the scopes that were requested and denied; by default all requested scopes that were not granted.
 */
export function resourceAvailability(
  connector: Pick<Connector, 'resources' | 'oauth' | 'unavailableResources'>,
  grantedScopes: readonly string[],
  deniedScopes: readonly string[] = scopesOf(connector).filter((scope) => !grantedScopes.includes(scope)),
): Record<string, ResourceAvailability> {
  const all = (names: object, row: ResourceAvailability) => Object.fromEntries(Object.keys(names).map((name) => [name, row]));
  const { resources, unavailableResources = {} } = connector;
  if (scopesOf(connector).length === 0) {
    const unscoped = { scope_requirements: null };
    return {
      ...all(resources, { status: 'available', ...unscoped }),
      ...all(unavailableResources, { status: 'unavailable', ...unscoped }),
    };
  }
  const granted = new Set(grantedScopes);
  const denied = new Set(deniedScopes);
  const pick = (needs: ScopeSet, from: ReadonlySet<string>): ScopeSet => ({
    required: needs.required.filter((scope) => from.has(scope)),
    optional: needs.optional.filter((scope) => from.has(scope)),
  });
  const read = Object.fromEntries(
    Object.entries(resources).map(([name, needs]): [string, ResourceAvailability] => [
      name,
      {
        status: needs.required.every((scope) => granted.has(scope)) ? 'available' : 'unavailable',
        scope_requirements: { user_granted: pick(needs, granted), user_denied: pick(needs, denied) },
      },
    ]),
  );
  // No scope would help.
  const none = { user_granted: { required: [], optional: [] }, user_denied: { required: [], optional: [] } };
  return { ...read, ...all(unavailableResources, { status: 'unavailable', scope_requirements: none }) };
}
