import type { ApiCall, ApiResponse, ApiRoute } from '../kit/definition/definition.ts';
import type { Pair } from '../kit/accounts/grants.ts';
import { jwtOf } from '../kit/oauth/jwt-tokens.ts';

/** The vendor's app, as the operator would configure it. */
export const appClient = { clientId: 'simulated-app', clientSecret: 'simulated-app-secret' };

function bodyOf(pair: Pair, withUser: boolean): object {
  const { refreshToken, expiresIn, grant } = pair;
  return {
    access_token: jwtOf(pair),
    token_type: 'bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    ...(withUser && { userId: grant.providerUserId }),
  };
}

const refused = (status: number, error: string): ApiResponse => ({ status, body: { status, code: 'BadRequest', error } });

/** Passwords and refresh tokens in JSON at one address, with the app's own id and secret. */
function token({ json, parts }: ApiCall): ApiResponse {
  const fields = typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
  const field = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  if (field('client_id') !== appClient.clientId || field('client_secret') !== appClient.clientSecret)
    return { status: 401, body: { status: 401, code: 'Unauthorized', error: 'invalid_client' } };
  if (field('grant_type') === 'refresh_token') {
    const pair = parts.grants.refresh(field('refresh_token'), appClient.clientId);
    parts.save();
    return { body: bodyOf(pair, false) };
  }
  if (field('grant_type') !== 'password') return refused(400, 'unsupported_grant_type');
  const account = parts.accounts.byUsername(field('username'));
  if (account?.password !== field('password') || account === undefined) return refused(400, 'Error logging in.');
  const pair = parts.grants.grant({ clientId: appClient.clientId, providerUserId: account.providerUserId, scopes: [] });
  parts.save();
  return { body: bodyOf(pair, true) };
}

export const tokenRoute: ApiRoute = { kind: 'token', method: 'POST', path: '/tokens', auth: 'open', hasFaults: true, respond: token };
