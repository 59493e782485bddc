import { hourMs } from '@pulsewire/kernel';
import { pullDefaults } from '../kit/pull-presets.ts';
import { classifyByStatus, needs, passwordDefaults, addressesWithoutOAuth } from '../kit/connector-defaults.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { app } from '../kit/my-fitness-pal/items.ts';
import { summariesOn } from '../kit/records/complete-ranges.ts';
import { configurable } from '../kit/settings.ts';
import type { JudgedResponse, ProviderVerdict, PullSpec } from '../kit/types/connector.ts';
import { accountPulls } from './account-pulls.ts';
import { diaryRequest, isDiaryRefusal } from './diary.ts';
import { mapDiary } from './map-diary.ts';
import {
  createContext,
  diarySettings,
  diarySlug,
  diarySourceId,
  isAccount,
  phoneRegion,
  phoneUrl,
  type DiaryValues,
} from './my-fitness-pal.ts';
import { createDiaryPassword } from './password.ts';
import { phoneHeaders } from './phone.ts';

/** How long to wait after a page that blocks clients. */
const blockedMs = 15 * 60_000;

/** A key that has been changed is an expired token: the stored one is tried again, and then the connection needs a new link. */
function classify(response: JudgedResponse): ProviderVerdict {
  if (isDiaryRefusal(response)) return { code: 'provider_token_expired' };
  // The protection in front of the site refuses with a page, and accepts the same client later.
  if (response.status === 403) return { code: 'provider_transient', retryAfterMs: blockedMs };
  return classifyByStatus(response);
}

const createDiaryPull = ({ path }: DiaryValues): PullSpec => ({
  ...pullDefaults,
  name: 'diary',
  resources: ['meal', 'carbohydrates', 'workouts'],
  // One call covers a whole range.
  chunkDays: 31,
  backfillDays: 14,
  reachDays: historyDaysMax,
  rereadDays: 14,
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    if (isAccount(user.account)) return;
    const response = await http.post(path, { ...diaryRequest(user.providerUserId, window), isRead: true });
    const allOf = summariesOn(window, app, 'meal', 'workouts');
    yield { version: response.version, ...mapDiary(response.body, createContext(user)), allOf };
  },
});

const diaryResources = { meal: needs(), carbohydrates: needs(), workouts: needs() };
const accountResources = { water: needs(), steps: needs(), activity: needs(), body: needs(), weight: needs() };
const needsAccount = 'A shared diary has none, and no client id of the app is configured, with which an account can be linked.';

export const myFitnessPal = configurable(diarySettings, (values) => {
  const hasAccounts = values.clientId !== '';
  return {
    ...passwordDefaults,
    slug: diarySlug,
    name: 'MyFitnessPal (shared diary)',
    description: 'Food diary and exercise, as the user shares them with a key',
    sourceId: diarySourceId,
    offsetsFrom: 'zone',
    endpoints: addressesWithoutOAuth('https://www.myfitnesspal.com', { regionUrls: { [phoneRegion]: phoneUrl } }),
    password: createDiaryPassword(values),
    resources: { ...diaryResources, ...(hasAccounts && accountResources) },
    unavailableResources: hasAccounts ? {} : Object.fromEntries(Object.keys(accountResources).map((name) => [name, needsAccount])),
    backfillDays: 14,
    pulls: [createDiaryPull(values), ...(hasAccounts ? accountPulls : [])],
    pollEveryMs: 4 * hourMs,
    authorize(token, account) {
      const { user_id: userId } = account;
      return isAccount(account) && typeof userId === 'string' ? { headers: phoneHeaders(token, userId, values) } : { json: { key: token } };
    },
    classify,
    findRefusal: (response) => (isDiaryRefusal(response) ? { code: 'provider_token_expired' } : null),
  };
});
