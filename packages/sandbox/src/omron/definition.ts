import { oauthCapabilities } from '../kit/definition/capabilities.ts';
import type { PushSpec, SimulatorDefinition, TokenResponse } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { measurementRoute } from './measurement.ts';

const typeOf: Readonly<Partial<Record<Change['kind'], string>>> = {
  activity: 'activity',
  body: 'weight',
  blood_pressure: 'bloodpressure',
};

/** When something was uploaded: a number of ms, or in other accounts of the same interface a text of it, or an ISO text. */
function timestampOf(kind: Change['kind'], ms: number): number | string {
  if (kind === 'activity') return ms;
  return kind === 'body' ? String(ms) : new Date(ms).toISOString();
}

/** Unsigned notices that something of a type has arrived; never about deletions. */
const omronPushes: PushSpec = {
  messages({ kind, action }, { providerUserId }, parts) {
    const type = typeOf[kind];
    if (type === undefined || action === 'deleted') return [];
    return [{ body: { id: providerUserId, timestamp: timestampOf(kind, parts.clock.wallMs()), type } }];
  },
  isAccepted: (status) => status === 200,
};

const threeDays = 259_200;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Its subject is the user's id. Unsigned: a response of the token endpoint needs no signature. */
function idToken({ account, expiresIn }: TokenResponse): string {
  const issued = Math.floor(Date.now() / 1000);
  const claims = { iss: 'https://prd-oauth.example', sub: account.providerUserId, iat: issued, exp: issued + (expiresIn ?? 0) };
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** Omron's partner cloud: the user's id in an ID token, one address for all measurements, errors with status 200, unsigned pushes. */
export const omronDefinition: SimulatorDefinition = {
  slug: 'omron',
  capabilities: {
    ...oauthCapabilities,
    push: { registration: 'portal', isSigned: false, notifiesRevocation: false },
    deletes: { morning: ['blood_pressure', 'heartrate'] },
    pages: true,
    // More than a page of each kind.
    conformanceDays: 40,
  },
  apiPath: '/prd/api',
  oauth: {
    authorizePath: '/connect/authorize',
    tokenPath: '/prd/connect/token',
    revokePath: '/connect/revocation',
    hasPlainRevocation: true,
    clientAuth: 'body',
    pkce: 'optional',
    scopeSeparator: ' ',
    scopes: ['bloodpressure', 'activity', 'weight', 'openid', 'offline_access'],
    refresh: 'rotates',
    accessTokenSeconds: threeDays,
    tokenResponse: (tokens) => ({
      ...(tokens.grantType === 'authorization_code' && { id_token: idToken(tokens) }),
      access_token: tokens.accessToken,
      refresh_token: tokens.refreshToken,
      token_type: 'Bearer',
      expires_in: tokens.expiresIn,
    }),
  },
  providerUserId: (name) => uuidOf(`omron:${name}`),
  routes: [measurementRoute],
  push: omronPushes,
  refuse({ reason, status, message }, endpoint) {
    if (endpoint === 'oauth') return { status, body: { error: reason === 'grant_invalid' ? 'invalid_grant' : reason } };
    // Errors of a request are only in the envelope.
    if (reason === 'request_invalid' || reason === 'scope_missing') return { body: { status: 1, reason: message, errorCode: reason } };
    return { status, body: { status, reason: message, errorCode: reason } };
  },
};
