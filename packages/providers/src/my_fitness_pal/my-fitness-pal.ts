import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const diarySlug = 'my_fitness_pal';
export const diarySourceId = 54;

export const diarySettings = {
  path: { default: '/api/services/authenticate_diary_key', description: 'path of the shared diary.' },
  clientId: {
    default: 'mfp-mobile-android-google',
    description: 'client id of the phone app, which is public. If it is empty, users can link only with a diary key.',
  },
  appVersion: { default: '26.27.0', description: 'version of the phone app.' },
} as const satisfies ConnectorSettings;

export type DiaryValues = SettingValues<typeof diarySettings>;

/** The servers of the phone app. */
export const phoneRegion = 'phone';
export const phoneUrl = 'https://api.myfitnesspal.com';

/** Whether a connection was made with the account's own password. */
export function isAccount(account: Readonly<Record<string, unknown>>): boolean {
  return account['way'] === 'account';
}

export const createContext = recordMakersOf(diarySlug);
