import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { wahooPushes } from './pushes.ts';
import { wahooRoutes } from './routes.ts';

const twoHours = 7200;
const fiveMinutes = 300;
/** Unrevoked access tokens of a user and app. */
const tokensMax = 10;

const answering = (status: number) => (kind: string) => (kind.startsWith('oauth') ? null : { status });

/**
 * Wahoo, from its reference and recorded responses: decimals as strings, planned workouts among those done, FIT files, webhooks with a
 * token in the body.
 */
export const wahooDefinition: SimulatorDefinition = {
  slug: 'wahoo',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'portal', isSigned: false, notifiesRevocation: false },
    pages: true,
    newDataMinutes: 24 * 60,
  },
  oauth: {
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    // The reference writes the fields into the query, clients send a form: both work.
    clientAuth: 'query',
    pkce: 'optional',
    scopeSeparator: ' ',
    scopes: [
      'email',
      'user_read',
      'user_write',
      'workouts_read',
      'workouts_write',
      'offline_data',
      'plans_read',
      'plans_write',
      'routes_read',
      'routes_write',
      'power_zones_read',
      'power_zones_write',
    ],
    refresh: 'rotates',
    accessTokenSeconds: twoHours,
    grantsMax: { count: tokensMax, message: 'Too many unrevoked access tokens exist for this app and user.' },
    // The old pair ends with the first call of the new one, so a lost response can be requested again.
    graceSeconds: 60,
    tokenResponse: ({ accessToken, refreshToken, expiresIn, scopes }) => ({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: expiresIn,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
      created_at: Math.floor(Date.now() / 1000),
    }),
  },
  quota: {
    scope: 'app',
    requests: 200,
    perSeconds: fiveMinutes,
    headers: ({ limit, remaining, resetSeconds }) => ({
      'x-ratelimit-limit': `5000, 1000, ${limit}`,
      'x-ratelimit-remaining': `${remaining}, ${remaining}, ${remaining}`,
      'x-ratelimit-reset': remaining > 0 ? '0' : String(resetSeconds),
    }),
  },
  routes: wahooRoutes,
  push: wahooPushes,
  // No bodies are documented. 422: the application is not approved (any more).
  troubles: {
    app_not_approved: answering(422),
    not_acceptable: answering(406),
    gone: answering(410),
    files_gone: (kind) => (kind === 'file' ? { status: 404 } : null),
  },
  refuse({ reason, status, message }, endpoint) {
    // A rejected refresh has been observed as an empty 400.
    if (endpoint === 'oauth' && reason === 'grant_invalid' && !message.includes('code')) return { status: 400 };
    return { status, body: { error: message } };
  },
  // Only the list has items of which one may be broken.
  breakItem: (body) => ('workouts' in body ? withBrokenItem(body) : body),
};
