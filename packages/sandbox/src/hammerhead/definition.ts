import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import { activityRoutes } from './activities.ts';
import { loginRoutes } from './logins.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { readJwtToken } from '../kit/oauth/jwt-tokens.ts';

/** Hammerhead's dashboard, from recorded responses: two kinds of accounts, lists by page, figures as pairs, FIT files. */
export const hammerheadDefinition: SimulatorDefinition = {
  slug: 'hammerhead',
  capabilities: {
    ...passwordCapabilities,
    deletes: { workout: ['workouts'] },
    pages: true,
    newDataMinutes: 24 * 60,
  },
  apiPath: '/v1',
  regionPaths: { dashboard: '/v1', login: '' },
  routes: [...loginRoutes, ...activityRoutes],
  readToken: readJwtToken,
  refuse({ reason, status, message }) {
    if (reason === 'grant_invalid') return { status: 401, body: { error: 'invalid_grant', error_description: message } };
    return { status, body: { statusCode: status, message } };
  },
  // One of the parallel lists with one more would cost the whole ride.
  breakItem: (body) => ('data' in body && 'totalItems' in body ? { ...body, data: withBrokenItem(body.data as object) } : body),
};
