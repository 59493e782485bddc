import { isTransientStatus } from '../kit/http/statuses.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { RevocationCall } from '../kit/types/connector.ts';

/** The endpoint is no longer documented: if it no longer exists, nothing can be revoked. */
export async function revokeOmron({ http, application, accessToken, refreshToken, revokeUrl }: RevocationCall): Promise<boolean> {
  if (revokeUrl === null) return false;
  const token = refreshToken ?? accessToken;
  const hint = refreshToken === null ? 'access_token' : 'refresh_token';
  const credentials = { client_id: application.clientId, client_secret: application.clientSecret };
  const { status } = await http.send({ method: 'POST', path: revokeUrl, form: { ...credentials, token, token_type_hint: hint } });
  if (isTransientStatus(status)) throw providerError('provider_transient', { status });
  return status >= 200 && status < 300;
}
