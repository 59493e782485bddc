import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings, PullUser } from '../kit/types/connector.ts';

export const diarySlug = 'my_fitness_pal';
export const diarySourceId = 54;
/** All data is entered in the app. */
export const app = 'app';

export const diarySettings = {
  path: { default: '/api/services/authenticate_diary_key', description: 'path of the shared diary.' },
} as const satisfies ConnectorSettings;

export type DiaryValues = SettingValues<typeof diarySettings>;

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(diarySlug, user);
}
