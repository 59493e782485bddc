import type { ApiResponse, ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import type { Pair } from '../kit/accounts/grants.ts';

const clientIds = ['Zwift_Mobile_Link', 'Zwift Game Client'];

function refused(status: number, error: string, description: string): ApiResponse {
  return { status, body: { error, error_description: description } };
}

function response({ accessToken, refreshToken, expiresIn }: Pair): ApiResponse {
  return {
    body: { access_token: accessToken, expires_in: expiresIn, refresh_expires_in: 0, refresh_token: refreshToken, token_type: 'bearer' },
  };
}

/** The account server: passwords and refresh tokens at one address, in a form; the application has no secret. */
function token({ form, parts }: ApiCall): ApiResponse {
  const field = (name: string) => form.get(name) ?? '';
  const clientId = field('client_id');
  if (!clientIds.includes(clientId)) return refused(400, 'invalid_client', 'Invalid client credentials');
  if (field('grant_type') === 'refresh_token') {
    const pair = parts.grants.refresh(field('refresh_token'), clientId);
    parts.save();
    return response(pair);
  }
  if (field('grant_type') !== 'password') return refused(400, 'unsupported_grant_type', 'Unsupported grant_type');
  const account = parts.accounts.byUsername(field('username'));
  if (account?.password !== field('password') || account === undefined) return refused(401, 'invalid_grant', 'Invalid user credentials');
  const pair = parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] });
  parts.save();
  return response(pair);
}

/** Ends the login that the refresh token belongs to, and with it its access tokens. */
function logOut({ form, parts }: ApiCall): ApiResponse {
  const { grant } = parts.grants.refresh(form.get('refresh_token') ?? '', form.get('client_id') ?? '');
  parts.grants.endOne(grant.grantId);
  parts.save();
  return { status: 204 };
}

const open = { method: 'POST', auth: 'open', hasFaults: true } as const;

export const tokenRoutes: readonly ApiRoute[] = [
  { ...open, kind: 'token', path: '/auth/realms/zwift/protocol/openid-connect/token', respond: token },
  { ...open, kind: 'logout', path: '/auth/realms/zwift/tokens/logout', respond: logOut },
];
