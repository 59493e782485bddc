import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { SimulatorDefinition } from '../kit/definition/definition.ts';
import { invalid, type RefusalReason } from '../kit/parts/refusal.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { fileRoutes, portalKeys } from './routes.ts';

const authorizationPath = '/OpenApiV2/OAuthv2/userauthorization/';
const fortyTwoDays = 3_672_000;

/** Error codes are made up: public clients read only the texts. */
const errors: Readonly<Partial<Record<RefusalReason, readonly [code: number, name: string, description: string]>>> = {
  token_invalid: [211, 'invalid_token', 'Token is invalid'],
  token_expired: [212, 'expired_token', 'Token is expired'],
  grant_invalid: [213, 'invalid_grant', 'The code or refresh token is invalid'],
  client_invalid: [214, 'invalid_client', 'client_id or client_secret is wrong'],
  scope_missing: [215, 'access_denied', 'The user has not authorized the API'],
};

/** What is wrong is the operator's, with the status of a success. */
const wrongly = (ErrorCode: number, ErrorDescription: string) => (kind: string) =>
  kind === 'file' ? { status: 200, body: { ErrorCode, ErrorDescription } } : null;

/** iHealth's open API: non-standard names in OAuth, errors with status 200, local wall clocks written as if they were UTC. */
export const ihealthDefinition: SimulatorDefinition = {
  slug: 'ihealth',
  settings: portalKeys,
  capabilities: {
    ...oauthCapabilities,
    hasNoRevocationCall: true,
    pages: true,
    // More glucose readings than a page holds.
    conformanceDays: 16,
    // Until the next measurement of the day.
    newDataMinutes: 24 * 60,
  },
  oauth: {
    authorizePath: authorizationPath,
    tokenPath: authorizationPath,
    tokenMethod: 'GET',
    clientAuth: 'query',
    pkce: 'none',
    scopeParameter: 'APIName',
    scopeSeparator: ' ',
    scopes: [
      'OpenApiActivity',
      'OpenApiBG',
      'OpenApiBP',
      'OpenApiSleep',
      'OpenApiSpO2',
      'OpenApiSport',
      'OpenApiWeight',
      'OpenApiFood',
      'OpenApiUserInfo',
    ],
    refresh: 'rotates',
    losesState: true,
    accessTokenSeconds: fortyTwoDays,
    // A refresh is requested as a `response_type`.
    grantType: (form) => form.get('grant_type') ?? (form.get('response_type') === 'refresh_token' ? 'refresh_token' : ''),
    check(form) {
      if (!form.has('redirect_uri')) throw invalid('redirect_uri is required');
    },
    tokenResponse: ({ accessToken, refreshToken, expiresIn, scopes, account }) => ({
      APIName: scopes.join(' '),
      AccessToken: accessToken,
      Expires: expiresIn,
      RefreshToken: refreshToken,
      UserID: account.providerUserId,
      client_para: '',
    }),
  },
  providerUserId: (name) => uuidOf(`ihealth:${name}`).replaceAll('-', ''),
  readToken: ({ query }) => query.get('access_token'),
  quota: { scope: 'user', requests: 5000, perSeconds: 3600 },
  routes: fileRoutes,
  troubles: { serials_wrong: wrongly(4000, 'sc or sv is wrong'), client_wrong: wrongly(5001, 'Invalid client_id') },
  refuse({ reason, status, message }) {
    const [ErrorCode, Error, ErrorDescription] = errors[reason] ?? [200 + status, reason, message];
    // Only a withdrawn token, quotas and failures use the HTTP status.
    const isInStatus = reason === 'token_invalid' || reason === 'rate_limited' || status >= 500;
    return { status: isInStatus ? status : 200, body: { Error, ErrorCode, ErrorDescription } };
  },
};
