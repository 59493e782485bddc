import { usernameField, passwordField } from '../kit/password/form.ts';
import { refusedLogin, refusedRenewal, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../kit/password/renewal.ts';
import { msToDay } from '../kit/time/days.ts';
import type { LoginHttp, LoginResponse, PasswordSupport, TokenSet } from '../kit/types/connector.ts';
import { diaryRequest, isDiaryRefusal } from './diary.ts';
import type { DiaryValues } from './my-fitness-pal.ts';

function tokensOf(username: string, key: string): TokenSet {
  return { accessToken: key, refreshToken: writeRenewal({ username, key }), expiresAt: null, scopes: null, providerUserId: username };
}

/** The password is the key with which a user shares the diary, not that of the account: it opens nothing else. */
export const createDiaryPassword = ({ path }: DiaryValues): PasswordSupport => {
  const openDiary = (http: LoginHttp, username: string, key: string, now: Date): Promise<LoginResponse> => {
    const day = msToDay(now.getTime());
    const request = diaryRequest(username, { startDate: day, endDate: day });
    return http.send({ method: 'POST', path, ...request, json: { ...request.json, key } });
  };
  return {
    regions: null,
    form: [
      usernameField('MyFitnessPal user name', 'text'),
      {
        ...passwordField,
        label: 'Diary key',
        hint: 'Not the password of your account: the key under Diary Settings, Diary Sharing, Locked with a Key.',
      },
    ],
    async login({ http, username, password, now }) {
      const response = await openDiary(http, username, password, now);
      if (isDiaryRefusal(response)) return refusedLogin('provider_credential_error', 'MyFitnessPal rejected this user name and diary key');
      if (response.status !== 200 || typeof response.body !== 'object' || response.body === null)
        return unclearLogin('MyFitnessPal', response);
      return { kind: 'linked', tokens: tokensOf(username, password), providerUserId: username, account: { username } };
    },
    async renew({ http, renewal, now }) {
      const { username, key } = readRenewal(renewal, ['username', 'key']);
      const response = await openDiary(http, username, key, now);
      if (isDiaryRefusal(response)) return refusedRenewal;
      return response.status === 200 ? { outcome: 'refreshed', tokens: tokensOf(username, key) } : unclearRenewal(response);
    },
  };
};
