import { usernameField, passwordField } from '../kit/password/form.ts';
import { refusedLogin, refusedRenewal, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../kit/password/renewal.ts';
import { msToDay } from '../kit/time/days.ts';
import type { LoginCall, LoginHttp, LoginOutcome, LoginResponse, PasswordSupport, TokenSet } from '../kit/types/connector.ts';
import { diaryRequest, isDiaryRefusal } from './diary.ts';
import { isAccount, type DiaryValues } from './my-fitness-pal.ts';
import { renewTokens, signIn } from './phone.ts';

/** The site refuses HTTP libraries by how they open TLS, whatever they send. */
const blocked =
  'The site of MyFitnessPal refuses this server, so diary keys need a proxy of the operator that it accepts. The password of an account works without one';
const keyHint = 'the key under Diary Settings, Diary Sharing, Locked with a Key.';

function tokensOf(username: string, key: string): TokenSet {
  return { accessToken: key, refreshToken: writeRenewal({ username, key }), expiresAt: null, scopes: null, providerUserId: username };
}

function refusal(clientId: string): LoginOutcome {
  const only =
    'MyFitnessPal rejected this user name and diary key. The password of an account is not accepted: no client id of the app is configured';
  return refusedLogin(
    'provider_credential_error',
    clientId === '' ? only : 'MyFitnessPal rejected this name with its password or diary key',
  );
}

function formOf(clientId: string): PasswordSupport['form'] {
  if (clientId === '')
    return [
      usernameField('MyFitnessPal user name', 'text'),
      { ...passwordField, label: 'Diary key', hint: `Not the password of your account: ${keyHint}` },
    ];
  return [
    usernameField('MyFitnessPal user name or e-mail address', 'text', 'A diary key needs the user name.'),
    { ...passwordField, label: 'Password or diary key', hint: `The password of your account, or ${keyHint}` },
  ];
}

/**
 * The password is the key with which a user shares the diary, which opens nothing else; or that of the account, where the operator has
 * configured the app that signs in with it.
 */
export const createDiaryPassword = (values: DiaryValues): PasswordSupport => {
  const { path, clientId } = values;

  const openDiary = (http: LoginHttp, username: string, key: string, now: Date): Promise<LoginResponse> => {
    const day = msToDay(now.getTime());
    const request = diaryRequest(username, { startDate: day, endDate: day });
    return http.send({ method: 'POST', path, ...request, json: { ...request.json, key } });
  };

  async function linkWithKey({ http, username, password, now }: LoginCall): Promise<LoginOutcome> {
    const response = await openDiary(http, username, password, now);
    if (isDiaryRefusal(response)) return refusal(clientId);
    if (response.status === 403) return refusedLogin('provider_api_error', blocked);
    if (response.status !== 200 || typeof response.body !== 'object' || response.body === null)
      return unclearLogin('MyFitnessPal', response);
    return { kind: 'linked', tokens: tokensOf(username, password), providerUserId: username, account: { username } };
  }

  return {
    regions: null,
    form: formOf(clientId),
    async login(call) {
      if (clientId === '') return linkWithKey(call);
      // The account has more data than the diary, so it is tried first.
      const own = await signIn(call.http, values, call);
      // A diary has no e-mail address.
      if (own.kind !== 'refused' || call.username.includes('@')) return own;
      const shared = await linkWithKey(call);
      if (shared.kind === 'linked') return shared;
      // Rejected in both ways, or it is not clear in one of them.
      return own.errorType === 'provider_credential_error' ? shared : own;
    },
    async renew({ http, renewal, account, now }) {
      if (isAccount(account)) return renewTokens(http, values, renewal, now);
      const { username, key } = readRenewal(renewal, ['username', 'key']);
      const response = await openDiary(http, username, key, now);
      if (isDiaryRefusal(response)) return refusedRenewal;
      return response.status === 200 ? { outcome: 'refreshed', tokens: tokensOf(username, key) } : unclearRenewal(response);
    },
  };
};
