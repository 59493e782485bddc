import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import type { RevocationCall } from '../kit/types/connector.ts';

/** Ends all tokens of the consent. Here the application is authenticated in the Authorization header, unlike at the token endpoint. */
export async function revokeMyFitnessPal({ http, application, accessToken, refreshToken, revokeUrl }: RevocationCall): Promise<boolean> {
  if (revokeUrl === null) return false;
  const token = refreshToken ?? accessToken;
  const hint = refreshToken === null ? 'access_token' : 'refresh_token';
  const basicAuth = { username: application.clientId, password: application.clientSecret };
  const { status } = await http.send({ method: 'POST', path: revokeUrl, basicAuth, form: { token, token_type_hint: hint } });
  return judgeRevocation(status);
}
