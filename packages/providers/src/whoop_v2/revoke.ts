import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { RevocationCall } from '../kit/types/connector.ts';

/**
 * Ends the consent through the API; WHOOP then also stops its webhooks for the user. This revokes all tokens of the user. If the
 * user of the token is unknown, as after an aborted link, nothing is revoked, because another connection may depend on the same
 * consent.
 */
export async function revokeWhoop({ http, accessToken, providerUserId }: RevocationCall): Promise<boolean> {
  if (providerUserId === null) return false;
  const { status } = await http.send({
    method: 'DELETE',
    path: '/v2/user/access',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  // A 401 means only that the access token, valid for an hour, has expired: the consent lasts for years.
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}
