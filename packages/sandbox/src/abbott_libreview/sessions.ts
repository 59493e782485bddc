import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Pair } from '../kit/accounts/grants.ts';
import { recordLogin } from '../kit/definition/changed-password.ts';
import type { ApiCall, UserCall } from '../kit/definition/definition.ts';

const clientId = 'llu';
const keyOf = (grantId: string) => `renewal ${grantId}`;

/** Stores the kit's refresh token, which no response shows. */
function keep({ parts }: ApiCall, { grant, accessToken, refreshToken }: Pair): string {
  parts.memory.set(keyOf(grant.grantId), refreshToken);
  parts.save();
  return accessToken;
}

/** The token of a new session. */
export function openSession(call: ApiCall, account: SimAccount): string {
  const pair = call.parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] });
  recordLogin(call.parts, account);
  return keep(call, pair);
}

/** A newer token of the same session; those before remain valid. */
export function renewToken(call: UserCall): string {
  const known = call.parts.memory.get(keyOf(call.grant.grantId));
  return keep(call, call.parts.grants.refresh(typeof known === 'string' ? known : '', clientId));
}
