import { allowsScope, type ApiKeyScope, type AuthenticatedKey } from '@pulsewire/connections';
import { AppError } from '@pulsewire/kernel';
import type { Route } from './route.ts';

/**
 * The scope that a key needs for a route: its declared one, else `webhooks` for endpoints and messages, `read` for reads, `write` for
 * changes. Null: every key has it.
 */
export function requiredScope({ scope, area, method }: Pick<Route, 'scope' | 'area' | 'method'>): ApiKeyScope | null {
  if (scope !== undefined) return scope;
  if (area === 'webhooks') return 'webhooks';
  return method === 'GET' ? 'read' : 'write';
}

/** Throws AppError `key_scope_missing` (403). A link token without a key is checked by the handler. */
export function assertScope(route: Route, key: AuthenticatedKey | null): void {
  if (key === null) return;
  const scope = requiredScope(route);
  if (scope === null || allowsScope(key.scopes, scope)) return;
  throw new AppError({ code: 'key_scope_missing', kind: 'forbidden', message: `The API key lacks the scope ${scope}` });
}
