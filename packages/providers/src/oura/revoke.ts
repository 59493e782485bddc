import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { RevocationCall } from '../kit/types/connector.ts';

/** `POST /oauth/revoke` with only the access token, in the query, and no client credentials. */
export async function revokeOura({ http, accessToken }: RevocationCall): Promise<boolean> {
  const { status } = await http.send({ method: 'POST', path: '/oauth/revoke', query: { access_token: accessToken } });
  // A 401 means only that the access token, valid for a day, has expired: the consent lasts for years.
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}
