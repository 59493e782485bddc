import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { dataRoutes } from './routes.ts';
import { signInRoutes } from './sign-in.ts';
import { tokenRoute } from './tokens.ts';

const authHost = '/auth-host';

/** Peloton, from open clients: the web app's sign-in with cookies and redirects, lists without dates, graphs in the account's units. */
export const pelotonDefinition: SimulatorDefinition = {
  slug: 'peloton',
  capabilities: {
    ...passwordCapabilities,
    deletes: { workout: ['workouts'] },
    pages: true,
    conformanceDays: 44,
    // New data is available when the workout of the evening is over.
    newDataMinutes: 13 * 60,
  },
  regionPaths: { api: '', auth: authHost },
  providerUserId: (name) => uuidOf(`peloton:${name}`).replaceAll('-', ''),
  routes: [...signInRoutes, tokenRoute, ...dataRoutes],
  refuse({ reason, status, message }) {
    if (reason === 'grant_invalid')
      return { status: 403, body: { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' } };
    return { status, body: { status, message, subcode: null } };
  },
  // A workout and its graph contain no independent items.
  breakItem: (body) => ('page_count' in body ? withBrokenItem(body) : body),
};
