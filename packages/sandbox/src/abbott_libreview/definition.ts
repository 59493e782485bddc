import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { dataRoutes } from './data.ts';
import { loginRoutes } from './logins.ts';
import { regionPaths } from './regions.ts';

/** LibreLinkUp, from what open clients know of it: hosts by region that send people home, and refusals in the body's `status`. */
export const abbottLibreviewDefinition: SimulatorDefinition = {
  slug: 'abbott_libreview',
  capabilities: {
    auth: 'password',
    regions: ['gb', 'us', 'de'],
    mfa: true,
    refresh: true,
    // By another password. A follower who is taken off sees an empty list, which is no word about the login.
    revocation: true,
    hasNoRevocationCall: true,
    push: null,
    removes: [],
    pages: false,
    truth: true,
    conformanceDays: 6,
  },
  regionPaths,
  providerUserId: (name) => uuidOf(`libre user:${name}`),
  routes: [...loginRoutes, ...dataRoutes],
  refuse({ reason, status, message }) {
    if (reason === 'token_invalid' || reason === 'token_expired') return { status: 401, body: { message: 'MissingOrInvalidToken' } };
    // What stands before the servers speaks HTML.
    if (reason === 'rate_limited') return { status, text: '<html><body>error code: 1015</body></html>', contentType: 'text/html' };
    return { status, body: { status, message } };
  },
  // A person more or less in the list of those who are followed would be another account.
  breakItem: (body) => ('data' in body && isListOfPeople(body.data) ? body : withBrokenItem(body)),
};

function isListOfPeople(data: unknown): boolean {
  return Array.isArray(data) && data.some((item: unknown) => typeof item === 'object' && item !== null && 'patientId' in item);
}
