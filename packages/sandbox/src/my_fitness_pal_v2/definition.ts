import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { ApiCall, ApiResponse, SimulatorDefinition, TokenResponse, Trouble } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { basicClient } from '../kit/oauth/client-auth.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { hash32 } from '../model/seeded.ts';
import { myFitnessPalV2Pushes } from './pushes.ts';
import { dataRoutes } from './routes.ts';
import { dropSubscriptions, subscriptionRoutes } from './subscriptions.ts';

/** The user id is a number or a text. */
function tokenResponse({ grantType, accessToken, refreshToken, expiresIn, account }: TokenResponse): object {
  const id = account.providerUserId;
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    user_id: grantType === 'authorization_code' ? Number(id) : id,
  };
}

/** RFC 7009, with the application in the Authorization header; the other token of the consent ends too. */
function revoke({ headers, form, parts }: ApiCall): ApiResponse {
  const client = basicClient(headers['authorization'] as string | undefined, parts.applications);
  if (!client) throw new RefusalError('client_invalid', 'The application is not known, or its secret is wrong');
  const grant = parts.grants.find(form.get('token') ?? '');
  if (grant?.clientId === client.clientId) {
    parts.grants.endOne(grant.grantId);
    dropSubscriptions(parts, grant.clientId, grant.providerUserId);
    parts.save();
  }
  return { status: 200, body: {} };
}

const words = {
  token_invalid: 'invalid_token',
  token_expired: 'invalid_token',
  scope_missing: 'insufficient_scope',
  forbidden: 'insufficient_scope',
  client_invalid: 'invalid_client',
  grant_invalid: 'invalid_grant',
  grant_type_unsupported: 'unsupported_grant_type',
  request_invalid: 'failed-validation',
  not_found: 'not-found',
  rate_limited: 'rate-limited',
  conflict: 'uniqueness-violation',
  account_state: 'failed-validation',
  server_error: 'internal',
} as const satisfies Readonly<Record<RefusalError['reason'], string>>;

/** A message may begin with the error's name. */
function refuse({ reason, status, message }: RefusalError, endpoint: 'api' | 'oauth'): ApiResponse {
  const named = /^([a-z]+[-/][\w-]+): (.*)$/.exec(message);
  const plain = endpoint === 'oauth' && reason === 'request_invalid' ? 'invalid_request' : words[reason];
  return { status, body: { error: named?.[1] ?? plain, error_description: named?.[2] ?? message, error_uri: null, error_details: null } };
}

/** Errors of the reference, for the diary and the measurements. */
const failing =
  (status: number, error: string): Trouble =>
  (kind) =>
    /^(?:diary|measurements)/.test(kind)
      ? { status, body: { error, error_description: 'As documented', error_uri: null, error_details: null } }
      : null;

/**
 * The partner API, from its reference with real responses: one day per call, objects on request, pages in a header, unsigned lists of
 * addresses.
 */
export const myFitnessPalV2Definition: SimulatorDefinition = {
  slug: 'my_fitness_pal_v2',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'portal', isSigned: false, notifiesRevocation: false },
    deletes: { workout: ['workouts'] },
    pages: true,
    newDataMinutes: 24 * 60,
  },
  oauth: {
    authorizePath: '/v2/oauth2/auth',
    tokenPath: '/v2/oauth2/token',
    revokePath: '/v2/oauth2/revoke',
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['diary', 'measurements', 'private-exercises', 'subscriptions'],
    refresh: 'rotates',
    accessTokenSeconds: 3600,
    graceSeconds: 60,
    check(form) {
      const needed = form.get('grant_type') === 'refresh_token' ? ['refresh_token', 'user_id'] : ['code', 'redirect_uri'];
      for (const name of needed) if (!form.has(name)) throw invalid(`Missing ${name}`);
    },
    tokenResponse,
  },
  routes: [
    ...dataRoutes,
    ...subscriptionRoutes,
    { kind: 'revoke', method: 'POST', path: '/v2/oauth2/revoke', auth: 'open', respond: revoke },
  ],
  push: myFitnessPalV2Pushes,
  // Thirteen digits, as in the reference.
  providerUserId: (name) =>
    `23${String(hash32(`mfp ${name}`))
      .padStart(11, '0')
      .slice(-11)}`,
  onConsentEnded: ({ clientId, providerUserId }, parts) => dropSubscriptions(parts, clientId, providerUserId),
  refuse,
  troubles: {
    internal_error: failing(500, 'internal'),
    unavailable: failing(503, 'internal'),
    not_found: failing(404, 'not-found'),
    header_malformed: failing(400, 'malformed-header'),
    validation_failed: failing(422, 'failed-validation'),
  },
  // Only entries of the diary and measurements are independent items.
  breakItem: (body) => ('items' in body && !JSON.stringify(body).includes('content_type') ? withBrokenItem(body) : body),
};
