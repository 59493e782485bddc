import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { ApiRoute, SimulatorDefinition } from '../kit/definition/definition.ts';
import type { RefusalError } from '../kit/parts/refusal.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { collectionRoutes, scopeOf } from './collections.ts';
import { ouraPushes } from './pushes.ts';
import { subscriptionRoutes } from './subscriptions.ts';

/** `POST /oauth/revoke?access_token=…`: requires only a valid token. */
const revokeRoute: ApiRoute = {
  kind: 'oauth.revoke',
  method: 'POST',
  path: '/oauth/revoke',
  auth: 'open',
  respond({ query, parts }) {
    const grant = parts.grants.authenticate(query.get('access_token'));
    parts.grants.endOne(grant.grantId);
    parts.save();
    return { status: 200, body: {} };
  },
};

const day = 86_400;
/** The reference lists what these statuses mean, for data only. */
const withheld = (status: number, title: string, detail: string, matches: (kind: string) => boolean) => (kind: string) =>
  matches(kind) ? { status, body: { status, title, detail } } : null;

const oauthWords: Readonly<Partial<Record<RefusalError['reason'], string>>> = {
  grant_invalid: 'invalid_grant',
  client_invalid: 'invalid_client',
  request_invalid: 'invalid_request',
};

/** Oura, from its API description: single-use refresh tokens, scopes in the redirect, subscriptions of an application. */
export const ouraDefinition: SimulatorDefinition = {
  slug: 'oura',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'api', isSigned: true, notifiesRevocation: false },
    removes: ['workout', 'sleep'],
    deletes: {
      workout: ['workouts'],
      sleep: ['sleep', 'sleep_cycle', 'respiratory_rate', 'blood_oxygen', 'sleep_breathing_disturbance', 'body_temperature_delta'],
      morning: ['heartrate'],
    },
    pages: true,
  },
  providerUserId: (name) => uuidOf(`oura:${name}`),
  oauth: {
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    revokePath: '/oauth/revoke',
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: [
      'email',
      'personal',
      'daily',
      'heartrate',
      'workout',
      'tag',
      'session',
      'spo2',
      'ring_configuration',
      'stress',
      'heart_health',
    ],
    refresh: 'rotates',
    accessTokenSeconds: day,
    scopeInCallback: true,
    tokenResponse: ({ accessToken, refreshToken, expiresIn }) => ({
      token_type: 'bearer',
      access_token: accessToken,
      expires_in: expiresIn,
      refresh_token: refreshToken,
    }),
  },
  quota: { scope: 'app', requests: 5000, perSeconds: 300 },
  routes: [...collectionRoutes, ...subscriptionRoutes, revokeRoute],
  push: ouraPushes,
  troubles: {
    membership_lapsed: withheld(
      403,
      'Forbidden',
      'The membership of the user has expired',
      (kind) => kind === 'ring_configuration' || Object.hasOwn(scopeOf, kind.replace('.one', '')),
    ),
    app_outdated: withheld(426, 'Upgrade Required', 'The app of the user is too old for this data type', (kind) =>
      /^(daily_)?sleep/.test(kind),
    ),
  },
  refuse({ reason, status, message }) {
    const word = oauthWords[reason];
    // A missing scope returns the same status as an invalid token, only for its collection.
    const shown = reason === 'scope_missing' ? 401 : status;
    return { status: shown, body: { status: shown, title: message, detail: message, ...(word !== undefined && { error: word }) } };
  },
};
