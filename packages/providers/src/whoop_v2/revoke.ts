import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { RevocationCall } from '../kit/types/connector.ts';

/**
 * Ends the consent by the API itself; WHOOP then stops its webhooks for the user too. All tokens of the user end with it: where
 * nobody knows whose token this is, as after a link that broke off, another connection may live by the same consent.
 */
export async function revokeWhoop({ http, accessToken, providerUserId }: RevocationCall): Promise<boolean> {
  if (providerUserId === null) return false;
  const { status } = await http.send({
    method: 'DELETE',
    path: '/v2/user/access',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  // An access token lives an hour, a consent for years.
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}
