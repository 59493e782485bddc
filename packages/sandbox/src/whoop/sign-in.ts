import { randomBase62 } from '@pulsewire/kernel';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiResponse, ApiCall, ApiRoute, Trouble } from '../kit/definition/definition.ts';
import type { Pair } from '../kit/accounts/grants.ts';

const clientId = '37365lrcda1js3fapqfe2n40eh';
const service = 'AWSCognitoIdentityProviderService.';
const challengeMs = 180_000;
const challengeTriesMax = 3;

/** Names without an account that simulate rejected logins. */
const refusalsOfNames: Readonly<Record<string, string>> = {
  'reset@mail.example': 'PasswordResetRequiredException',
  'unconfirmed@mail.example': 'UserNotConfirmedException',
};

export function cognitoRefusal(type: string, message: string): ApiResponse {
  return { status: 400, body: { __type: `com.amazonaws.cognito.identity.idp.model#${type}`, message } };
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function resultOf({ accessToken, expiresIn }: Pair, refreshToken: string | null): ApiResponse {
  return {
    body: {
      AuthenticationResult: {
        AccessToken: accessToken,
        ExpiresIn: expiresIn,
        IdToken: 'id-token',
        TokenType: 'Bearer',
        ...(refreshToken !== null && { RefreshToken: refreshToken }),
      },
      ChallengeParameters: {},
    },
  };
}

function signedIn({ parts }: ApiCall, { providerUserId }: SimAccount): ApiResponse {
  const pair = parts.grants.grant({ clientId, providerUserId, scopes: [] });
  const kept = randomBase62(40);
  parts.memory.set(`refresh ${kept}`, pair.refreshToken);
  parts.save();
  return resultOf(pair, kept);
}

/** The refresh token stays the same, although the kit's token behind it changes. */
function refreshed({ parts }: ApiCall, token: string): ApiResponse {
  const key = `refresh ${token}`;
  const pair = parts.grants.refresh(textOf(parts.memory.get(key)), clientId);
  parts.memory.set(key, pair.refreshToken);
  parts.save();
  return resultOf(pair, null);
}

interface Challenge {
  readonly name: string;
  readonly kind: string;
  readonly endsAtMs: number;
  readonly attempts: number;
}

/** People whose name begins with Token have an authenticator app, those with Mail get an e-mail, others an SMS. */
function kindFor({ name }: SimAccount): string {
  if (name.startsWith('Token')) return 'SOFTWARE_TOKEN_MFA';
  return name.startsWith('Mail') ? 'EMAIL_OTP' : 'SMS_MFA';
}

const deliveries: Readonly<Record<string, object>> = {
  SMS_MFA: { CODE_DELIVERY_DELIVERY_MEDIUM: 'SMS', CODE_DELIVERY_DESTINATION: '+*******5512' },
  EMAIL_OTP: { CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL', CODE_DELIVERY_DESTINATION: 'm***@m***' },
};

function challengeFor({ parts }: ApiCall, account: SimAccount): ApiResponse {
  const session = randomBase62(60);
  const kind = kindFor(account);
  const challenge: Challenge = {
    name: account.name,
    kind,
    endsAtMs: parts.clock.wallMs() + parts.clock.toWallMs(challengeMs),
    attempts: 0,
  };
  parts.memory.set(`challenge ${session}`, challenge);
  return {
    body: { ChallengeName: kind, Session: session, ChallengeParameters: { USER_ID_FOR_SRP: account.providerUserId, ...deliveries[kind] } },
  };
}

function initiate(call: ApiCall, json: Fields): ApiResponse {
  const parameters = fieldsOf(json['AuthParameters']);
  if (json['AuthFlow'] === 'REFRESH_TOKEN_AUTH') return refreshed(call, textOf(parameters['REFRESH_TOKEN']));
  if (json['AuthFlow'] !== 'USER_PASSWORD_AUTH') return cognitoRefusal('InvalidParameterException', 'Unknown auth flow');
  const name = textOf(parameters['USERNAME']);
  const refusal = refusalsOfNames[name];
  if (refusal !== undefined) return cognitoRefusal(refusal, 'The user has something to do first');
  const account = call.parts.accounts.byUsername(name);
  if (account === undefined || account.password !== textOf(parameters['PASSWORD']))
    return cognitoRefusal('NotAuthorizedException', 'Incorrect username or password.');
  return account.wantsMfa ? challengeFor(call, account) : signedIn(call, account);
}

function respond(call: ApiCall, json: Fields): ApiResponse {
  const { parts } = call;
  const key = `challenge ${textOf(json['Session'])}`;
  const known = parts.memory.get(key) as Challenge | undefined;
  const account = known && parts.accounts.byName(known.name);
  if (!known || !account || known.attempts >= challengeTriesMax || parts.clock.wallMs() >= known.endsAtMs)
    return cognitoRefusal('NotAuthorizedException', 'Invalid session for the user.');
  const responses = fieldsOf(json['ChallengeResponses']);
  if (json['ChallengeName'] !== known.kind || responses['USERNAME'] !== account.username)
    return cognitoRefusal('InvalidParameterException', 'Not the challenge that was asked');
  if (responses[`${known.kind}_CODE`] !== account.mfaCode) {
    parts.memory.set(key, { ...known, attempts: known.attempts + 1 });
    return cognitoRefusal('CodeMismatchException', 'Invalid code or auth state for the user.');
  }
  parts.memory.delete(key);
  return signedIn(call, account);
}

const isOperation = (name: string, { headers }: Pick<ApiCall, 'headers'>) => headers['x-amz-target'] === `${service}${name}`;

/** A refusal of one operation of the sign-in, which is about no account. */
const refusedOperation =
  (name: string, type: string, message: string): Trouble =>
  (kind, call) =>
    kind === 'sign-in' && isOperation(name, call) ? cognitoRefusal(type, message) : null;

export const signInTroubles: Readonly<Record<string, Trouble>> = {
  code_expired: refusedOperation('RespondToAuthChallenge', 'ExpiredCodeException', 'Invalid code provided, please request a code again.'),
  too_many_requests: refusedOperation('InitiateAuth', 'TooManyRequestsException', 'Rate exceeded'),
  limit_exceeded: refusedOperation('InitiateAuth', 'LimitExceededException', 'Attempt limit exceeded, please try after some time.'),
};

function signIn(call: ApiCall): ApiResponse {
  const json = fieldsOf(call.json);
  if (!String(call.headers['content-type'] ?? '').startsWith('application/x-amz-json-1.1') || json['ClientId'] !== clientId)
    return cognitoRefusal('InvalidParameterException', 'No such client');
  if (isOperation('InitiateAuth', call)) return initiate(call, json);
  if (isOperation('RespondToAuthChallenge', call)) return respond(call, json);
  return cognitoRefusal('UnknownOperationException', 'No such operation');
}

export const signInRoute: ApiRoute = {
  kind: 'sign-in',
  method: 'POST',
  path: '/auth-service/v3/whoop/',
  auth: 'open',
  hasFaults: true,
  respond: signIn,
};
