import { passwordField, usernameField } from '../kit/password/form.ts';
import { refusedLogin, refusedRenewal, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../kit/password/renewal.ts';
import type { LoginHttp, LoginResponse, PasswordSupport, TokenSet } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { createEnvelope, failureCode } from './envelope.ts';
import { appHeadersOf, type RenphoValues } from './renpho.ts';

/** Wrong name or password, a name that is not registered, a malformed password. */
const credentialCodes = new Set([104, 106, 1004, 20_001, 20_004, 50_005]);
/** The lifetime that clients assume when the response does not contain it. */
const sessionMs = 50 * 60_000;
const loginPath = '/renpho-aggregation/user/login';

type Signed =
  | { readonly kind: 'session'; readonly login: JsonNode; readonly token: string; readonly id: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'no_key' }
  | { readonly kind: 'unclear'; readonly response: LoginResponse };

async function signIn(http: LoginHttp, values: RenphoValues, email: string, password: string): Promise<Signed> {
  const envelope = createEnvelope(values.appKey);
  if (envelope === null) return { kind: 'no_key' };
  const { areaCode, appVersion, deviceTypes } = values;
  const app = { areaCode, appRevision: appVersion, cellphoneType: 'Android', systemType: '11', platform: 'android' };
  const requested = { questionnaire: {}, login: { email, password, ...app }, bindingList: { deviceTypes: deviceTypes.split(',') } };
  const json = envelope.seal(JSON.stringify(requested));
  const response = await http.send({ method: 'POST', path: loginPath, headers: appHeadersOf(values), json });
  const code = failureCode(response.body);
  if (code !== null && credentialCodes.has(code)) return { kind: 'refused' };
  const login = new JsonNode(code === null && response.status === 200 ? envelope.open(response.body) : null).at('login');
  const [token, id] = [login.at('token').value, login.at('id').value];
  // The id has 19 digits, which our parser returns as a string.
  if (typeof token !== 'string' || token === '' || !(typeof id === 'string' || Number.isSafeInteger(id)))
    return { kind: 'unclear', response };
  return { kind: 'session', login, token, id: String(id) };
}

function tokensOf(
  { login, token, id }: Extract<Signed, { kind: 'session' }>,
  credentials: Readonly<Record<string, string>>,
  now: Date,
): TokenSet {
  const stated = login.at('expAt').value;
  const endsMs = typeof stated === 'number' && stated > now.getTime() ? stated : now.getTime() + sessionMs;
  return { accessToken: token, refreshToken: writeRenewal(credentials), expiresAt: new Date(endsMs), scopes: null, providerUserId: id };
}

/** Profile facts that only the login response contains. */
function factsOf({ login, id }: Extract<Signed, { kind: 'session' }>): Readonly<Record<string, unknown>> {
  const { height, heightUnit, birthday, gender } = login.value as Readonly<Record<string, unknown>>;
  return { user_id: id, height, height_unit: heightUnit, birthday, gender };
}

/** Renpho's account. Its sessions expire within the hour and cannot be renewed, so the password is kept. There is no MFA. */
export const createRenphoPassword = (values: RenphoValues): PasswordSupport => ({
  regions: null,
  form: [
    usernameField('E-mail address', 'email', 'Each time that new data are read, the app on the phone may be logged out.'),
    passwordField,
  ],
  async login({ http, username: email, password, now }) {
    const signed = await signIn(http, values, email, password);
    if (signed.kind === 'no_key') return refusedLogin('provider_api_error', 'The key of the Renpho app is not configured');
    if (signed.kind === 'refused') return refusedLogin('provider_credential_error', 'Renpho rejected this e-mail address and password');
    if (signed.kind === 'unclear') return unclearLogin('Renpho', signed.response);
    return { kind: 'linked', tokens: tokensOf(signed, { email, password }, now), providerUserId: signed.id, account: factsOf(signed) };
  },
  async renew({ http, renewal, now }) {
    const { email, password } = readRenewal(renewal, ['email', 'password']);
    const signed = await signIn(http, values, email, password);
    if (signed.kind === 'session') return { outcome: 'refreshed', tokens: tokensOf(signed, { email, password }, now) };
    if (signed.kind === 'refused') return refusedRenewal;
    return signed.kind === 'no_key' ? { outcome: 'unclear', retryable: true, reason: 'no_app_key' } : unclearRenewal(signed.response);
  },
});
