import { JsonNode } from '../kit/values/json-node.ts';
import { passwordField, usernameField } from '../kit/password/form.ts';
import { endedRenewal, refusedLogin, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../kit/password/renewal.ts';
import type { LoginHttp, LoginOutcome, PasswordSupport, RefusedLogin, TokenSet } from '../kit/types/connector.ts';
import { refresh, respond, signIn, type Signed, type SignedResponse } from './cognito.ts';
import type { WhoopValues } from './whoop.ts';

/** A challenge's session is valid for three minutes by default. */
const challengeMs = 180_000;
/** Challenges that a code answers, by the names of Cognito: `SMS_MFA`, `EMAIL_OTP`, `SOFTWARE_TOKEN_MFA`. */
const codePattern = /^[A-Z_]+_(?:MFA|OTP)$/;

const credentialMessages: Readonly<Record<string, string>> = {
  NotAuthorizedException: 'WHOOP does not take this e-mail address and password, or there were too many attempts',
  UserNotFoundException: 'WHOOP does not take this e-mail address and password',
  UserNotConfirmedException: 'The account waits for the user: its e-mail address must be confirmed in the WHOOP app first',
};

function refusalOf(refused: Extract<Signed, { kind: 'refused' }>, response: SignedResponse['response']): RefusedLogin {
  const message = Object.hasOwn(credentialMessages, refused.type) ? credentialMessages[refused.type] : undefined;
  if (message !== undefined) return refusedLogin('provider_credential_error', message);
  if (refused.type === 'PasswordResetRequiredException')
    return refusedLogin('provider_password_expired', 'The password must first be changed in the WHOOP app');
  return unclearLogin('WHOOP', response);
}

function isUserId(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,20}$/.test(value);
}

async function linked(http: LoginHttp, { apiVersion }: WhoopValues, tokens: TokenSet): Promise<LoginOutcome> {
  const headers = { authorization: `Bearer ${tokens.accessToken}` };
  const query = { accountType: 'users', include: 'profile', apiVersion };
  const response = await http.send({ method: 'GET', path: '/users-service/v2/bootstrap/', query, headers });
  const root = new JsonNode(response.body);
  const ids = [root, root.at('user'), root.at('profile')].flatMap((node) => [node.at('id').value, node.at('user_id').value]);
  const id = ids.map((value) => (typeof value === 'number' ? String(value) : value)).find(isUserId);
  if (response.status !== 200 || id === undefined) return unclearLogin('WHOOP', response);
  return { kind: 'linked', tokens, providerUserId: id, account: {} };
}

function settle(
  http: LoginHttp,
  values: WhoopValues,
  username: string,
  { signed, response }: SignedResponse,
): LoginOutcome | Promise<LoginOutcome> {
  switch (signed.kind) {
    case 'in':
      return linked(http, values, signed.tokens);
    case 'refused':
      return refusalOf(signed, response);
    case 'unclear':
      return unclearLogin('WHOOP', response);
    case 'challenge': {
      if (signed.name === 'NEW_PASSWORD_REQUIRED')
        return refusedLogin('provider_password_expired', 'The password must first be changed in the WHOOP app');
      if (!codePattern.test(signed.name))
        return refusedLogin('provider_api_error', 'WHOOP requires a step of sign-in that is not supported');
      return {
        kind: 'mfa',
        // The contract has no value for authenticator apps; the hint names them.
        method: signed.name.startsWith('EMAIL') ? 'email' : 'sms',
        hint: signed.name === 'SOFTWARE_TOKEN_MFA' ? 'Code of the authenticator app' : (signed.destination ?? ''),
        ticket: writeRenewal({ username, name: signed.name, session: signed.session }),
        expiresInMs: challengeMs,
      };
    }
  }
}

/** Errors after which the user has to log in again. */
const deadTypes = new Set(['NotAuthorizedException', 'UserNotFoundException', 'UserNotConfirmedException']);

/** Cognito has one error for a wrong secret and for too many attempts. */
const isOverTried = ({ message }: Extract<Signed, { kind: 'refused' }>) => /attempts exceeded/i.test(message);

/** The app's own sign-in, with a code by SMS, by e-mail or of an authenticator app. The password is not kept. */
export const createWhoopPassword = (values: WhoopValues): PasswordSupport => ({
  regions: null,
  form: [usernameField('E-mail address'), passwordField],
  login: async ({ http, username, password, now }) =>
    settle(http, values, username, await signIn({ http, clientId: values.clientId }, username, password, now)),
  async completeMfa({ http, ticket, code, now }) {
    const challenge = readRenewal(ticket, ['username', 'name', 'session']);
    const signed = await respond({ http, clientId: values.clientId }, challenge, code, now);
    const type = signed.signed.kind === 'refused' ? signed.signed.type : null;
    if (type === 'CodeMismatchException') return refusedLogin('incorrect_mfa_code', 'WHOOP rejected this code');
    if (type === 'ExpiredCodeException' || type === 'NotAuthorizedException')
      return refusedLogin('provider_credential_error', 'The login ended before the code was entered: log in again');
    return settle(http, values, challenge.username, signed);
  },
  async renew({ http, renewal, now }) {
    const { signed, response } = await refresh({ http, clientId: values.clientId }, renewal, now);
    if (signed.kind === 'in') return { outcome: 'refreshed', tokens: signed.tokens };
    if (signed.kind !== 'refused') return unclearRenewal(response);
    if (signed.type === 'PasswordResetRequiredException') return endedRenewal('provider_password_expired');
    return deadTypes.has(signed.type) && !isOverTried(signed) ? { outcome: 'revoked' } : unclearRenewal(response);
  },
});
