import type { SimAccount } from '../kit/accounts/accounts.ts';
import { hasChangedPassword, recordLogin } from '../kit/definition/changed-password.ts';
import type { ApiResponse, ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { failed, opened, sealed } from './envelope.ts';

const clientId = 'renpho-app';

/** Of a list that is read with a session which another sign-in has ended. */
export const staleList = 'The session of a list was ended by another sign-in';

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

/** The user, and what they entered in the app. Heights are in cm, whatever the unit field contains. */
export function userOf({ name, email, person, providerUserId }: SimAccount): Readonly<Record<string, unknown>> {
  return {
    id: `#${providerUserId}`,
    email,
    accountName: name,
    locale: 'en',
    areaCode: 'US',
    gender: person.sex === 'male' ? 1 : 0,
    height: person.heightCm,
    heightUnit: 1,
    weightUnit: 2,
    birthday: `${person.birthDate} 00:00:00`,
    waistline: 0,
    hip: 0,
    timeZone: person.zone.name,
  };
}

/** Signs in, which ends the session of the phone and any other. */
function login(call: ApiCall): ApiResponse {
  const { parts } = call;
  const given = fieldOf(opened(call.json), 'login');
  const account = parts.accounts.byUsername(String(fieldOf(given, 'email')));
  if (!account) return failed(106, 'The email is not registered');
  if (fieldOf(given, 'password') !== account.password || hasChangedPassword(parts, account))
    return failed(104, 'wrong user name or password');
  parts.grants.end(account.providerUserId);
  const { accessToken } = parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] });
  recordLogin(parts, account);
  parts.memory.set(`issued ${accessToken}`, true);
  parts.save();
  const nowMs = parts.clock.wallMs();
  const bluetooth = [{ mac: 'AA:BB:CC:00:11:22', scaleName: 'ES-CS20M', internalModel: '0005' }];
  return sealed({
    questionnaire: {},
    login: { ...userOf(account), token: accessToken, issAt: nowMs, expAt: nowMs + 3_000_000 },
    bindingList: { bluetooth, wifi: [] },
  });
}

/** For the kit: the session in the header. If another sign-in has ended it, lists are empty instead of rejected. */
export function readSession({ headers, path, parts }: ApiCall): string | null {
  const token = String(headers['token'] ?? '');
  const isEnded = parts.memory.has(`issued ${token}`) && !parts.grants.find(token);
  if (isEnded && path.includes('/query')) throw new RefusalError('account_state', staleList);
  return token === '' ? null : token;
}

export const loginRoute: ApiRoute = {
  kind: 'login',
  method: 'POST',
  path: '/renpho-aggregation/user/login',
  auth: 'open',
  hasFaults: true,
  respond: login,
};
