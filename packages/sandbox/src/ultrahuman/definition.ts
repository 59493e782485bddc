import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { ultrahumanRoutes } from './routes.ts';

const oneWeek = 604_800;

/** Ultrahuman, from recorded responses of rings: one call per day in one of two envelopes, tokens that rotate, no pushes. */
export const ultrahumanDefinition: SimulatorDefinition = {
  slug: 'ultrahuman',
  capabilities: oauthCapabilities,
  apiPath: '/api/partners/v1',
  oauth: {
    authorizePath: '/authorise',
    tokenPath: '/api/partners/oauth/token',
    revokePath: '/api/partners/oauth/revoke',
    hasPlainRevocation: true,
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['profile', 'ring_data', 'cgm_data'],
    refresh: 'rotates',
    accessTokenSeconds: oneWeek,
    tokenResponse: ({ accessToken, refreshToken, expiresIn, scopes }) => ({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
      created_at: Math.floor(Date.now() / 1000),
    }),
  },
  routes: ultrahumanRoutes,
  refuse({ reason, status, message }, endpoint) {
    if (endpoint === 'oauth') return { status, body: { error: reason === 'grant_invalid' ? 'invalid_grant' : 'invalid_request' } };
    if (status === 401) return { status, body: { error: 'invalid_token', error_description: message } };
    return { status, body: { data: null, error: message, status } };
  },
};
