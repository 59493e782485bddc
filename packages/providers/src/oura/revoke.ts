import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { RevocationCall } from '../kit/types/connector.ts';

/** `POST /oauth/revoke` with the access token alone, in the query, and no word of the application. */
export async function revokeOura({ http, accessToken }: RevocationCall): Promise<boolean> {
  const { status } = await http.send({ method: 'POST', path: '/oauth/revoke', query: { access_token: accessToken } });
  // An access token lives a day, a consent for years.
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}
