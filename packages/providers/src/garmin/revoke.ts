import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { RevocationCall } from '../kit/types/connector.ts';

/**
 * Ends the user's registration with our application, and with it all tokens and pushes. So it is skipped when the token's user is
 * unknown: another connection may depend on the same registration.
 */
export async function revokeGarmin({ http, accessToken, providerUserId }: RevocationCall): Promise<boolean> {
  if (providerUserId === null) return false;
  const { status } = await http.send({
    method: 'DELETE',
    path: '/partner-gateway/rest/user/registration',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}
