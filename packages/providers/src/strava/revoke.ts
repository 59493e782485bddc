import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { RevocationCall } from '../kit/types/connector.ts';

/** `POST /oauth/deauthorize` with a valid access token: ends all of the athlete's tokens for this application. */
export async function revokeStrava({ http, accessToken, revokeUrl }: RevocationCall): Promise<boolean> {
  if (revokeUrl === null) return false;
  const { status } = await http.send({ method: 'POST', path: revokeUrl, form: { access_token: accessToken } });
  if (status === 401) throw providerError('provider_token_expired', { status });
  return judgeRevocation(status);
}
