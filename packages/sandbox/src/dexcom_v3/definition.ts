import { createHash } from 'node:crypto';
import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { dexcomRoutes } from './routes.ts';

const twoHours = 7200;

/** Dexcom API v3, from its documents: single-use refresh tokens, no push, irregular time formats, data that appears an hour late. */
export const dexcomDefinition: SimulatorDefinition = {
  slug: 'dexcom_v3',
  capabilities: {
    ...oauthCapabilities,
    hasNoRevocationCall: true,
    deletes: { morning: ['glucose', 'carbohydrates', 'insulin_injection'] },
  },
  providerUserId: (name) => createHash('sha256').update(`dexcom:${name}`).digest('hex'),
  oauth: {
    authorizePath: '/v2/oauth2/login',
    tokenPath: '/v2/oauth2/token',
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['offline_access'],
    refresh: 'rotates',
    accessTokenSeconds: twoHours,
    // Also required on refreshes.
    check(form) {
      if (!form.has('redirect_uri')) throw invalid('Missing redirect_uri');
    },
    tokenResponse: ({ accessToken, refreshToken, expiresIn }) => ({
      access_token: accessToken,
      expires_in: expiresIn,
      token_type: 'Bearer',
      refresh_token: refreshToken,
      refresh_expires_in: 31_536_000,
    }),
  },
  quota: { scope: 'app', requests: 60_000, perSeconds: 3600 },
  routes: dexcomRoutes,
};
