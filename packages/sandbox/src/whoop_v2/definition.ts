import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { whoopPushes } from './pushes.ts';
import { whoopRoutes } from './routes.ts';

const hour = 3600;

/** WHOOP, from its API description: tokens of an hour that rotate, pages of 25 newest first, webhooks set up in a dashboard. */
export const whoopDefinition: SimulatorDefinition = {
  slug: 'whoop_v2',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'portal', isSigned: true, notifiesRevocation: false },
    removes: ['workout', 'sleep'],
    deletes: { workout: ['workouts'], sleep: ['sleep'] },
    pages: true,
  },
  apiPath: '/developer',
  oauth: {
    authorizePath: '/oauth/oauth2/auth',
    tokenPath: '/oauth/oauth2/token',
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['offline', 'read:profile', 'read:body_measurement', 'read:cycles', 'read:recovery', 'read:sleep', 'read:workout'],
    refresh: 'rotates',
    accessTokenSeconds: hour,
    check(form) {
      const isRefresh = form.get('grant_type') === 'refresh_token';
      if (isRefresh && form.get('scope') !== 'offline') throw new RefusalError('request_invalid', 'A refresh needs the scope offline');
    },
    tokenResponse: ({ accessToken, refreshToken, expiresIn, scopes }) => ({
      access_token: accessToken,
      ...(scopes.includes('offline') && { refresh_token: refreshToken }),
      expires_in: expiresIn,
      scope: scopes.join(' '),
      token_type: 'bearer',
    }),
  },
  quota: {
    scope: 'app',
    requests: 100,
    perSeconds: 60,
    headers: ({ limit, remaining, resetSeconds }) => ({
      'x-ratelimit-limit': `${limit}, 100;window=60, 10000;window=86400`,
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetSeconds),
    }),
  },
  routes: whoopRoutes,
  push: whoopPushes,
};
