import type { ApiCall, ApiResponse, ApiRoute } from '../kit/definition/definition.ts';
import type { Pair } from '../kit/accounts/grants.ts';

/** The vendor's app, as the operator would configure it. */
export const appClient = { clientId: 'beurersso', clientSecret: 'simulated-app-secret' };
const apiVersion = '2';

const bodyOf = ({ accessToken, refreshToken, expiresIn }: Pair): ApiResponse => ({
  body: { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn, refresh_token: refreshToken },
});

/** Passwords and refresh tokens in a form at one address. */
function token({ form, parts }: ApiCall): ApiResponse {
  const field = (name: string) => form.get(name) ?? '';
  const { clientId, clientSecret } = appClient;
  if (field('client_id') !== clientId || field('client_secret') !== clientSecret) return { status: 400, body: { error: 'invalid_client' } };
  if (field('version') !== apiVersion) return { status: 400, body: { error: 'invalid_request' } };
  if (field('scope') === '') return { status: 400, body: { error: 'invalid_scope' } };
  if (field('grant_type') === 'refresh_token') {
    const pair = parts.grants.refresh(field('refresh_token'), clientId);
    parts.save();
    return bodyOf(pair);
  }
  const account = parts.accounts.byUsername(field('username'));
  if (account?.password !== field('password') || account === undefined)
    return { status: 400, body: { error: 'invalid_grant', error_description: 'invalid_username_or_password' } };
  const pair = parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] });
  parts.save();
  return bodyOf(pair);
}

export const tokenRoute: ApiRoute = {
  kind: 'token',
  method: 'POST',
  path: '/connect/token',
  auth: 'open',
  hasFaults: true,
  respond: token,
};
