import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { ApiCall, ApiResponse, ApiRoute, SimulatorDefinition, TokenResponse, UserCall } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { googleIdOf } from '../model/google-id.ts';
import { aggregate } from './aggregate.ts';
import { changes } from './changes.ts';
import { googleFitScopes } from './data-types.ts';
import { dataset } from './datasets.ts';
import { googleFitTroubles, refuseGoogleFit } from './errors.ts';
import { sessions } from './sessions.ts';
import { listSources } from './streams.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A refresh returns no refresh token: the first one stays. */
function tokenResponse({ grantType, accessToken, refreshToken, expiresIn, scopes, account }: TokenResponse): object {
  const claims = { iss: 'https://accounts.google.com', sub: account.providerUserId };
  return {
    access_token: accessToken,
    expires_in: expiresIn,
    ...(grantType === 'authorization_code' && { refresh_token: refreshToken }),
    scope: scopes.join(' '),
    token_type: 'Bearer',
    ...(scopes.includes('openid') && { id_token: `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}.signature` }),
  };
}

/** Any of the two tokens ends the consent, from a form or the query; the application does not authenticate. */
function revoke({ form, query, parts }: ApiCall): ApiResponse {
  const grant = parts.grants.find(form.get('token') ?? query.get('token') ?? '');
  if (!grant) throw new RefusalError('grant_invalid', 'Token expired or revoked');
  parts.grants.endOne(grant.grantId);
  parts.save();
  return { body: {} };
}

const read = (kind: string, path: string, respond: (call: UserCall) => ApiResponse): ApiRoute => ({
  kind,
  method: 'GET',
  path: `/users/me${path}`,
  auth: 'user',
  respond,
});

const fitRoutes: readonly ApiRoute[] = [
  read('sources', '/dataSources', listSources),
  read('dataset', '/dataSources/:id/datasets/:range', dataset),
  read('changes', '/dataSources/:id/dataPointChanges', changes),
  read('sessions', '/sessions', sessions),
  { kind: 'aggregate', method: 'POST', path: '/users/me/dataset::aggregate', auth: 'user', respond: aggregate },
];

/** The path is part of some settings of the base address, and of the calls with others. */
const bases = ['', '/fitness/v1'];

/**
 * Google Fit, from its interface definition and recorded responses: data sources, buckets, sessions in two modes, text for large numbers.
 */
export const googleFitDefinition: SimulatorDefinition = {
  slug: 'google_fit',
  capabilities: {
    ...oauthCapabilities,
    removes: ['workout', 'sleep'],
    deletes: { workout: ['workouts'], sleep: ['sleep', 'sleep_cycle', 'blood_oxygen'] },
    hasNoZone: true,
    pages: true,
  },
  oauth: {
    authorizePath: '/o/oauth2/v2/auth',
    tokenPath: '/token',
    revokePath: '/revoke',
    clientAuth: 'body',
    pkce: 'optional',
    scopeSeparator: ' ',
    scopes: googleFitScopes,
    refresh: 'keeps',
    accessTokenSeconds: 3599,
    tokenResponse,
  },
  routes: [
    ...bases.flatMap((base) => fitRoutes.map((route) => ({ ...route, path: `${base}${route.path}` }))),
    {
      kind: 'userinfo',
      method: 'GET',
      path: '/oauth2/v3/userinfo',
      auth: 'user',
      respond: ({ account }: UserCall) => ({ body: { sub: account.providerUserId } }),
    },
    { kind: 'revoke', method: 'POST', path: '/revoke', auth: 'open', respond: revoke },
  ],
  providerUserId: googleIdOf,
  refuse: refuseGoogleFit,
  troubles: googleFitTroubles,
  // Buckets stand for parts of the range, so one more would be another day; points and sessions are independent.
  breakItem: (body) => ('bucket' in body ? body : withBrokenItem(body)),
};
