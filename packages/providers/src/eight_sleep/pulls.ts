import { pullDefaults, createProfilePull, completeDays } from '../kit/pull-presets.ts';
import type { PullSpec } from '../kit/types/connector.ts';
import { lacksScores } from './days.ts';
import { createContext } from './eight-sleep.ts';
import { mapProfile } from './map-profile.ts';
import { mapTrends } from './map-trends.ts';

export const historyDays = 90;

/** `tz` is required, and determines the day of a session. */
const sleepPull: PullSpec = {
  ...completeDays,
  ...pullDefaults,
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle', 'heartrate', 'hrv', 'respiratory_rate'],
  // Known to work in one call.
  chunkDays: 30,
  backfillDays: historyDays,
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const path = `/users/${encodeURIComponent(user.providerUserId)}/trends`;
    const tz = context.zoneOn(window.endDate).name ?? 'UTC';
    const days = { tz, from: window.startDate, to: window.endDate, 'include-main': 'false', 'model-version': 'v2' };
    const { body, version } = await http.get(path, { ...days, 'include-all-sessions': 'true' });
    // Some versions of the interface return either the sessions or the scores.
    const scores = lacksScores(body) ? (await http.get(path, { ...days, 'include-all-sessions': 'false' })).body : body;
    yield { ...mapTrends(body, scores, window, context), version };
  },
};

const profilePull = createProfilePull({ path: '/users/me', map: (body, user) => mapProfile(body, createContext(user)) });

export const eightSleepPulls: readonly PullSpec[] = [sleepPull, profilePull];
