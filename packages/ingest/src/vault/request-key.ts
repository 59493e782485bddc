import { createHash } from 'node:crypto';
import type { ProviderCall } from '@pulsewire/providers';

/** Serialises equal values to equal text, whatever the order of their keys. */
function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${stable(inner)}`)
    .join(',')}}`;
}

/** The key of a request: a hash of method, path, query and body. Authorization is added later and is not part of it. */
export function requestKey(method: string, path: string, { query, form, json }: Pick<ProviderCall, 'query' | 'form' | 'json'>): string {
  return createHash('sha256')
    .update(stable([method, path, query ?? {}, form, json]))
    .digest('base64url');
}

/** The request in readable form: without host, and without the query, which may hold sensitive values. */
export function requestPlace(method: string, path: string): string {
  const { pathname } = new URL(URL.canParse(path, 'http://provider') ? path : '/', 'http://provider');
  return `${method} ${pathname}`;
}
