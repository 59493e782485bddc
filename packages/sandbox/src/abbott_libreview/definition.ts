import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { dataRoutes } from './data.ts';
import { loginRoutes } from './logins.ts';
import { reportRoutes } from './patient-reports.ts';
import { regionPaths } from './regions.ts';

const followerKinds: ReadonlySet<string> = new Set(dataRoutes.map(({ kind }) => kind));

/**
 * LibreLinkUp, and LibreView for patients (`patient-account.ts` says whose account is which), from open clients: regional hosts that
 * redirect users to their own region, and errors in the body's `status`.
 */
export const abbottLibreviewDefinition: SimulatorDefinition = {
  slug: 'abbott_libreview',
  capabilities: {
    ...passwordCapabilities,
    regions: ['gb', 'us', 'de'],
    mfa: true,
    conformanceDays: 6,
  },
  regionPaths,
  providerUserId: (name) => uuidOf(`libre user:${name}`),
  routes: [...loginRoutes, ...dataRoutes, ...reportRoutes],
  troubles: {
    // The least version is raised about once a year; logins still succeed then.
    app_outdated: (kind) => (followerKinds.has(kind) ? { status: 403, body: { data: { minimumVersion: '9.0.0' }, status: 920 } } : null),
    // The page of the protection in front of the servers.
    access_denied: (kind) =>
      followerKinds.has(kind) ? { status: 403, text: '<html><body>Access denied</body></html>', contentType: 'text/html' } : null,
    nobody_followed: (kind) => (kind === 'connections' ? { body: { status: 0, data: [] } } : null),
  },
  refuse({ reason, status, message }) {
    if (reason === 'token_invalid' || reason === 'token_expired') return { status: 401, body: { message: 'MissingOrInvalidToken' } };
    // The proxy in front of the servers responds with HTML.
    if (reason === 'rate_limited') return { status, text: '<html><body>error code: 1015</body></html>', contentType: 'text/html' };
    return { status, body: { status, message } };
  },
  // Adding a person to the list of followed people would change the account.
  breakItem: (body) => ('data' in body && isListOfPeople(body.data) ? body : withBrokenItem(body)),
};

function isListOfPeople(data: unknown): boolean {
  return Array.isArray(data) && data.some((item: unknown) => typeof item === 'object' && item !== null && 'patientId' in item);
}
