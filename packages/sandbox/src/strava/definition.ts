import type { FastifyInstance } from 'fastify';
import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { ApiResponse, SimulatorDefinition, SimulatorParts, Trouble } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import type { RefusalError } from '../kit/parts/refusal.ts';
import { deauthorization, stravaPushes } from './pushes.ts';
import { stravaRoutes } from './routes.ts';
import { subscriptionRoutes } from './subscriptions.ts';

const sixHours = 21_600;
const quarter = 900;
const deauthorizePath = '/oauth/deauthorize';

/**
 * Expects a valid access token and ends all of the athlete's tokens for this application; the application is notified as for any
 * other revocation.
 */
function addDeauthorization(server: FastifyInstance, parts: SimulatorParts): void {
  server.post(deauthorizePath, (request, reply) => {
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
    const { providerUserId, clientId } = parts.grants.authenticate(form.get('access_token'));
    for (const target of parts.pushes.targets())
      for (const message of deauthorization(providerUserId, parts))
        if (target.clientId === clientId && message.topic === String(target.details['id'])) parts.pushes.send(target, message);
    parts.grants.end(providerUserId, clientId);
    parts.save();
    return reply.send({ access_token: form.get('access_token') });
  });
}

function errorOf({ reason, message }: RefusalError): { readonly resource: string; readonly field: string; readonly code: string } {
  if (reason === 'grant_invalid' && message.includes('code')) return { resource: 'AuthorizationCode', field: 'code', code: 'invalid' };
  if (reason === 'grant_invalid') return { resource: 'RefreshToken', field: 'refresh_token', code: 'invalid' };
  if (reason === 'client_invalid') return { resource: 'Application', field: 'client_id', code: 'invalid' };
  if (reason === 'rate_limited') return { resource: 'Application', field: 'overall rate limit', code: 'exceeded' };
  if (reason === 'token_invalid' || reason === 'token_expired') return { resource: 'Athlete', field: 'access_token', code: 'invalid' };
  return { resource: 'Resource', field: '', code: message };
}

const words: Readonly<Partial<Record<RefusalError['reason'], string>>> = {
  grant_invalid: 'Bad Request',
  request_invalid: 'Bad Request',
  client_invalid: 'Authorization Error',
  token_invalid: 'Authorization Error',
  token_expired: 'Authorization Error',
  scope_missing: 'Authorization Error',
  rate_limited: 'Rate Limit Exceeded',
};

const forbidden =
  (resource: string, field: string, code: string): Trouble =>
  (kind) =>
    /^(?:athlete|activit|streams)/.test(kind) ? { status: 403, body: { message: 'Forbidden', errors: [{ resource, field, code }] } } : null;

/** Strava, from its documents: scopes that may be unticked, few calls for a whole application, unsigned pushes of one subscription. */
export const stravaDefinition: SimulatorDefinition = {
  slug: 'strava',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'api', isSigned: false, notifiesRevocation: true },
    removes: ['workout'],
    deletes: { workout: ['workouts'] },
    pages: true,
    newDataMinutes: 24 * 60,
  },
  apiPath: '/api/v3',
  oauth: {
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    revokePath: deauthorizePath,
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ',',
    scopes: ['read', 'read_all', 'profile:read_all', 'profile:write', 'activity:read', 'activity:read_all', 'activity:write'],
    refresh: 'rotates',
    accessTokenSeconds: sixHours,
    scopeInCallback: true,
    tokenResponse: ({ grantType, accessToken, refreshToken, expiresIn, account }) => ({
      token_type: 'Bearer',
      expires_at: Math.floor(Date.now() / 1000) + (expiresIn ?? 0),
      expires_in: expiresIn,
      refresh_token: refreshToken,
      access_token: accessToken,
      // Once, and never again.
      ...(grantType === 'authorization_code' && { athlete: { id: Number(account.providerUserId), firstname: account.name } }),
    }),
  },
  quota: {
    scope: 'app',
    requests: 100,
    perSeconds: quarter,
    headers: ({ limit, remaining }) => ({
      'x-ratelimit-limit': '200,2000',
      'x-ratelimit-usage': `${limit - remaining},${limit - remaining}`,
      'x-readratelimit-limit': '100,1000',
      'x-readratelimit-usage': `${limit - remaining},${limit - remaining}`,
    }),
  },
  routes: [...stravaRoutes, ...subscriptionRoutes],
  push: stravaPushes,
  refuse(refusal): ApiResponse {
    return { status: refusal.status, body: { message: words[refusal.reason] ?? refusal.message, errors: [errorOf(refusal)] } };
  },
  troubles: {
    forbidden: forbidden('Athlete', 'access_token', 'forbidden'),
    // Until the application's owner has a subscription again.
    app_inactive: forbidden('Application', 'Status', 'Inactive'),
  },
  // A list shows one item more; an activity and its streams contain no independent items.
  breakItem: (body) => (Array.isArray(body) ? withBrokenItem(body) : body),
  extend: addDeauthorization,
};
