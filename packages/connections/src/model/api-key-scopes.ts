/** What an API key may be allowed to do. A key without a list may do everything. */
export const apiKeyScopes = ['read', 'write', 'webhooks', 'secrets', 'bulk', 'manage'] as const;

export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Whether a key with these scopes (null: all) may do what needs this one. */
export function allowsScope(scopes: readonly ApiKeyScope[] | null, needed: ApiKeyScope): boolean {
  return scopes === null || scopes.includes(needed);
}

/** Scopes among `wanted` (null: all) that a key with `held` lacks: nobody gives away more than they have. */
export function scopesBeyond(held: readonly ApiKeyScope[] | null, wanted: readonly ApiKeyScope[] | null): readonly ApiKeyScope[] {
  return (wanted ?? apiKeyScopes).filter((scope) => !allowsScope(held, scope));
}
