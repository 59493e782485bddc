import type { ApiCall, ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Pair } from '../kit/accounts/grants.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { hasChangedPassword, recordLogin } from '../kit/definition/changed-password.ts';

/** The phone app's; others are refused. */
export const phoneClientId = 'mfp-mobile-android-google';

function fieldOf({ json }: ApiCall, name: string): string {
  const value = typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof value === 'string' ? value : '';
}

const refused = (status: number, error: string): ApiResponse => ({ status, body: { error, error_description: 'The login was rejected' } });

function tokens({ accessToken, refreshToken, expiresIn }: Pair): Readonly<Record<string, unknown>> {
  return { access_token: accessToken, refresh_token: refreshToken, token_type: 'Bearer', expires_in: expiresIn };
}

/** Passwords and refresh tokens, in JSON. Only a login returns the user's id; a refresh ends the old refresh token at once. */
function token(call: ApiCall): ApiResponse {
  const { headers, parts } = call;
  const clientId = fieldOf(call, 'client_id');
  if (clientId !== phoneClientId || headers['mfp-client-id'] !== phoneClientId) return refused(400, 'invalid_client');
  if (fieldOf(call, 'grant_type') === 'refresh_token') {
    const pair = parts.grants.refresh(fieldOf(call, 'refresh_token'), clientId);
    parts.save();
    return { body: tokens(pair) };
  }
  if (fieldOf(call, 'grant_type') !== 'password') return refused(400, 'unsupported_grant_type');
  const account = parts.accounts.byUsername(fieldOf(call, 'username'));
  if (account?.password !== fieldOf(call, 'password') || account === undefined || hasChangedPassword(parts, account))
    return refused(401, 'invalid_grant');
  const pair = parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] });
  recordLogin(parts, account);
  parts.save();
  return { body: { ...tokens(pair), user_id: account.providerUserId } };
}

/** Refuses calls that do not name the app and the user. */
export function assertNamed({ headers, account }: UserCall): void {
  if (headers['mfp-client-id'] !== phoneClientId) throw invalid('missing-header: mfp-client-id');
  if (headers['mfp-user-id'] !== account.providerUserId) throw invalid('malformed-header: mfp-user-id');
}

export const tokenRoute: ApiRoute = {
  kind: 'token',
  method: 'POST',
  path: '/v2/oauth2/token',
  auth: 'open',
  hasFaults: 'before',
  respond: token,
};
