import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import { recordLogin } from '../kit/definition/changed-password.ts';
import type { ApiCall, ApiResponse, ApiRoute } from '../kit/definition/definition.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { codeKey, type Code } from './login.ts';

const keyId = 'sim-key-1';
const lifeSeconds = 28_800;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

let pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;
/** Created at the first login, because it takes a while. */
const keys = () => (pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));

/** The address of the issuer: the accounts API of the region. */
const issuerOf = ({ path, parts }: ApiCall) => `${parts.url()}${path.slice(0, path.indexOf('/accounts/'))}/accounts/api`;

function idTokenOf(call: ApiCall, account: SimAccount, clientId: string): string {
  const seconds = Math.floor(call.parts.clock.wallMs() / 1000);
  const claims = {
    iss: issuerOf(call),
    iat: seconds,
    nbf: seconds,
    exp: seconds + lifeSeconds,
    // Not always the client.
    aud: account.person.sex === 'male' ? 'tandem-source-web' : clientId,
    sub: uuidOf(`subject:${account.name}`),
    email: account.email,
    name: account.name,
    accountId: uuidOf(`account:${account.name}`),
    pumperId: account.providerUserId,
  };
  const text = `${encode({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), keys().privateKey).toString('base64url')}`;
}

/** Exchanges a code once. There is no refresh token. */
function token(call: ApiCall): ApiResponse {
  const { form, parts } = call;
  const key = codeKey(form.get('code') ?? '');
  const code = parts.memory.get(key) as Code | undefined;
  parts.memory.delete(key);
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight =
    form.get('grant_type') === 'authorization_code' &&
    code?.challenge === challenge &&
    code.clientId === form.get('client_id') &&
    code.redirectUri === form.get('redirect_uri');
  const account = isRight ? parts.accounts.byName(code.name) : undefined;
  if (!code || !account) throw new RefusalError('grant_invalid', 'invalid_grant');
  // Only now: a login that failed half-way has no tokens, and does not mean that the password was changed.
  recordLogin(parts, account);
  const { accessToken } = parts.grants.grant({ clientId: code.clientId, providerUserId: account.providerUserId, scopes: [] });
  parts.save();
  const id_token = idTokenOf(call, account, code.clientId);
  return { body: { access_token: accessToken, id_token, token_type: 'Bearer', expires_in: lifeSeconds, scope: 'openid profile email' } };
}

const open = { auth: 'open', hasFaults: true } as const;

export const tokenRoutes: readonly ApiRoute[] = [
  { ...open, kind: 'token', method: 'POST', path: '/accounts/api/connect/token', respond: token },
  {
    ...open,
    kind: 'jwks',
    method: 'GET',
    path: '/accounts/api/.well-known/openid-configuration/jwks',
    respond: () => ({ body: { keys: [{ ...keys().publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] } }),
  },
];
