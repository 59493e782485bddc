import { createHash } from 'node:crypto';
import { randomBase62 } from '@pulsewire/kernel';
import type { ApiResponse, ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import type { Pair } from '../kit/accounts/grants.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { clientId, codeKey, type Code } from './sign-in.ts';

const refreshKey = (token: string) => `refresh ${token}`;

/** This server issues its own refresh tokens, so that one can stay the same while the kit's token behind it changes. */
function response({ parts }: ApiCall, { accessToken, refreshToken, expiresIn }: Pair, kept: string | null): ApiResponse {
  const shown = kept ?? randomBase62(45);
  parts.memory.set(refreshKey(shown), refreshToken);
  parts.save();
  return {
    body: {
      access_token: accessToken,
      ...(kept === null && { refresh_token: shown }),
      id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
      scope: 'openid offline_access peloton-api.members:default',
      expires_in: expiresIn,
      token_type: 'Bearer',
    },
  };
}

function exchange(call: ApiCall, fields: URLSearchParams): ApiResponse {
  const { parts } = call;
  const key = codeKey(fields.get('code') ?? '');
  const code = parts.memory.get(key) as Code | undefined;
  parts.memory.delete(key);
  const challenge = createHash('sha256')
    .update(fields.get('code_verifier') ?? '')
    .digest('base64url');
  const account = code?.challenge === challenge ? parts.accounts.byName(code.name) : undefined;
  if (!account) throw new RefusalError('grant_invalid', 'Invalid authorization code');
  return response(call, parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] }), null);
}

/** Returns a new refresh token for some people only. */
function refresh(call: ApiCall, token: string): ApiResponse {
  const { parts } = call;
  const pair = parts.grants.refresh((parts.memory.get(refreshKey(token)) as string | undefined) ?? '', clientId);
  const account = parts.accounts.byProviderUserId(pair.grant.providerUserId);
  const isKept = account?.person.sex === 'male';
  if (!isKept) parts.memory.delete(refreshKey(token));
  return response(call, pair, isKept ? token : null);
}

/** Accepts JSON as well as a form. */
function respond(call: ApiCall): ApiResponse {
  const fields = typeof call.json === 'object' ? new URLSearchParams(call.json as Record<string, string>) : call.form;
  if (fields.get('client_id') !== clientId) return { status: 401, body: { error: 'access_denied', error_description: 'Unauthorized' } };
  const grantType = fields.get('grant_type');
  if (grantType === 'authorization_code') return exchange(call, fields);
  if (grantType === 'refresh_token') return refresh(call, fields.get('refresh_token') ?? '');
  const error_description = `Grant type '${grantType}' not allowed for the client.`;
  return { status: 403, body: { error: 'unauthorized_client', error_description } };
}

export const tokenRoute: ApiRoute = {
  kind: 'token',
  method: 'POST',
  path: '/oauth/token',
  auth: 'open',
  hasFaults: 'before',
  respond,
};
