import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { digitsOf } from '../kit/accounts/accounts.ts';
import { appKey, failed, opened, resealed, sealed } from './envelope.ts';
import { loginRoute, readSession, staleList } from './login.ts';
import { dataRoutes } from './routes.ts';

/** A broken row that still has the user's id: those of others are skipped anyway. */
function withBrokenRow(data: object): object {
  const rows = Array.isArray(data) ? (data as readonly object[]) : ((data as { readonly list?: readonly object[] }).list ?? []);
  const [sample] = rows;
  if (!sample) return data;
  const broken = { ...sample, id: 'not a value', timeStamp: 'not a value', weight: null };
  return Array.isArray(data) ? [...rows, broken] : { ...data, list: [...rows, broken] };
}

/** Renpho Health, from open clients: encrypted envelopes, one session for each account, tables and strangers' rows. */
export const renphoDefinition: SimulatorDefinition = {
  slug: 'renpho',
  settings: { appKey },
  capabilities: {
    ...passwordCapabilities,
    pages: true,
    // More rows than a page holds, those of others included.
    conformanceDays: 40,
    // Until the next morning.
    newDataMinutes: 24 * 60,
  },
  providerUserId: (name) => `1900000000${digitsOf(name)}${digitsOf(`renpho ${name}`).slice(0, 2)}`,
  readToken: readSession,
  routes: [loginRoute, ...dataRoutes],
  // With HTTP status 200, as most of its errors.
  troubles: { too_many_requests: (kind) => (kind === 'login' ? null : failed(429, 'Too many requests')) },
  envelope: { open: opened, seal: sealed },
  breakItem: (body) => resealed(body, withBrokenRow),
  refuse({ reason, status, message }) {
    if (message === staleList) return sealed([]);
    if (reason === 'token_invalid' || reason === 'token_expired') return failed(401, 'token invalid');
    if (message === 'decrypt failed') return failed(-114, message);
    if (reason === 'rate_limited' || reason === 'not_found') return failed(status, message, status);
    return status >= 500 ? failed(500, message, status) : failed(500, message);
  },
};
