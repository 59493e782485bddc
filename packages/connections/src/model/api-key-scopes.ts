/** Scopes of an API key. A key without a list has all of them. */
export const apiKeyScopes = ['read', 'write', 'webhooks', 'secrets', 'bulk', 'manage'] as const;

export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Whether a key with these scopes (null: all) has the needed one. */
export function allowsScope(scopes: readonly ApiKeyScope[] | null, needed: ApiKeyScope): boolean {
  return scopes === null || scopes.includes(needed);
}

/** Scopes in `wanted` (null: all) that a key with `held` lacks: a key cannot grant more than it has. */
export function scopesBeyond(held: readonly ApiKeyScope[] | null, wanted: readonly ApiKeyScope[] | null): readonly ApiKeyScope[] {
  return (wanted ?? apiKeyScopes).filter((scope) => !allowsScope(held, scope));
}
