import { JsonNode } from '../kit/values/json-node.ts';
import { readTokens } from '../kit/password/token-response.ts';
import type { LoginResponse, LoginHttp, TokenSet } from '../kit/types/connector.ts';

/** WHOOP's sign-in, and the app's own id there. */
export interface LoginTransport {
  readonly http: LoginHttp;
  readonly clientId: string;
}

const path = '/auth-service/v3/whoop/';
const fields = { access: 'AccessToken', refresh: 'RefreshToken', expiresIn: 'ExpiresIn' };

/** The response of WHOOP's sign-in, which is AWS Cognito. */
export type Signed =
  | { readonly kind: 'in'; readonly tokens: TokenSet }
  | { readonly kind: 'challenge'; readonly name: string; readonly session: string; readonly destination: string | null }
  /** `type` without the name space before it. */
  | { readonly kind: 'refused'; readonly type: string; readonly message: string }
  | { readonly kind: 'unclear' };

const textOf = (node: JsonNode): string | null => (typeof node.value === 'string' && node.value !== '' ? node.value : null);

function readSigned({ status, body }: LoginResponse, now: Date, kept: string | null): Signed {
  const root = new JsonNode(body);
  if (status !== 200) {
    const type = textOf(root.at('__type'))?.split('#').at(-1) ?? null;
    const isRefusal = type !== null && status >= 400 && status < 500;
    return isRefusal ? { kind: 'refused', type, message: textOf(root.at('message')) ?? '' } : { kind: 'unclear' };
  }
  const tokens = readTokens(root.at('AuthenticationResult'), fields, now, kept);
  if (tokens !== null) return { kind: 'in', tokens };
  const [name, session] = [textOf(root.at('ChallengeName')), textOf(root.at('Session'))];
  if (name === null) return { kind: 'unclear' };
  const destination = textOf(root.at('ChallengeParameters').at('CODE_DELIVERY_DESTINATION'));
  return { kind: 'challenge', name, session: session ?? '', destination };
}

export interface SignedResponse {
  readonly signed: Signed;
  readonly response: LoginResponse;
}

async function callCognito(
  { http, clientId }: LoginTransport,
  action: string,
  json: object,
  now: Date,
  kept: string | null,
): Promise<SignedResponse> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` };
  const response = await http.send({ method: 'POST', path, headers, json: { ClientId: clientId, ...json } });
  return { response, signed: readSigned(response, now, kept) };
}

export function signIn(transport: LoginTransport, username: string, password: string, now: Date): Promise<SignedResponse> {
  const json = { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: username, PASSWORD: password } };
  return callCognito(transport, 'InitiateAuth', json, now, null);
}

/** Responds to a challenge with its code. */
export function respond(
  transport: LoginTransport,
  challenge: { readonly name: string; readonly session: string; readonly username: string },
  code: string,
  now: Date,
): Promise<SignedResponse> {
  const { name, session, username } = challenge;
  const json = { ChallengeName: name, Session: session, ChallengeResponses: { USERNAME: username, [`${name}_CODE`]: code } };
  return callCognito(transport, 'RespondToAuthChallenge', json, now, null);
}

/** No new refresh token comes back: the old one stays. */
export function refresh(transport: LoginTransport, refreshToken: string, now: Date): Promise<SignedResponse> {
  const json = { AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: refreshToken } };
  return callCognito(transport, 'InitiateAuth', json, now, refreshToken);
}
