import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { ApiCall, ApiResponse, SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { activityRoutes } from './activities.ts';
import { measurementRoutes } from './measurements.ts';
import { userRoutes } from './user.ts';

/** Expects a valid access token in a form. */
function deauthorize({ form, parts }: ApiCall): ApiResponse {
  const grant = parts.grants.authenticate(form.get('access_token'));
  parts.grants.endOne(grant.grantId);
  parts.save();
  return { status: 204 };
}

/** The Health Graph, from recorded responses: tokens that never expire, feeds by date, activities with a stream of each kind. */
export const runkeeperDefinition: SimulatorDefinition = {
  slug: 'runkeeper',
  capabilities: {
    ...oauthCapabilities,
    refresh: false,
    deletes: { workout: ['workouts'] },
    pages: true,
    newDataMinutes: 24 * 60,
  },
  oauth: {
    authorizePath: '/apps/authorize',
    tokenPath: '/apps/token',
    revokePath: '/apps/de-authorize',
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: null,
    scopes: ['health graph'],
    refresh: 'none',
    accessTokenSeconds: null,
    tokenResponse: ({ accessToken }) => ({ token_type: 'Bearer', access_token: accessToken }),
  },
  routes: [
    ...userRoutes,
    ...activityRoutes,
    ...measurementRoutes,
    { kind: 'revoke', method: 'POST', path: '/apps/de-authorize', auth: 'open', respond: deauthorize },
  ],
  troubles: {
    user_limited: (kind) =>
      kind.startsWith('oauth.') ? null : { status: 429, text: 'This user has reached the limit of calls. Try again in 1 day.' },
    // A kind of data that the vendor has not opened for the application.
    weight_withheld: (kind) => (kind === 'weight' ? { status: 403, body: { reason: 'The application may not read this feed' } } : null),
  },
  // Clients read the wait from the text.
  refuse: ({ reason, status, message }) =>
    reason === 'rate_limited'
      ? { status, text: 'The application has reached its limit of calls. Try again in 15 minutes.' }
      : { status, body: { reason: message } },
  // Only feeds have independent items.
  breakItem: (body) => ('items' in body ? withBrokenItem(body) : body),
};
