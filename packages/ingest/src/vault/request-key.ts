import { createHash } from 'node:crypto';
import type { ProviderCall } from '@pulsewire/providers';

/** Text that is the same for equal values, in whatever order their keys stand. */
function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${stable(inner)}`)
    .join(',')}}`;
}

/** By what a request is found again: a hash of method, path, query and body. Authorization is added further out and is not part of it. */
export function requestKey(method: string, path: string, { query, form, json }: Pick<ProviderCall, 'query' | 'form' | 'json'>): string {
  return createHash('sha256')
    .update(stable([method, path, query ?? {}, form, json]))
    .digest('base64url');
}

/** The request for people: a whole URL loses its host, and the query, which may hold what nobody should read, is left out. */
export function requestPlace(method: string, path: string): string {
  const { pathname } = new URL(URL.canParse(path, 'http://provider') ? path : '/', 'http://provider');
  return `${method} ${pathname}`;
}
