import { utcMidnight } from '../../kit/days.ts';
import type { PullSpec } from '../../kit/types.ts';
import { readInstants } from '../collections.ts';
import { readDayOffsets } from '../day-offsets.ts';
import { mapHeartrate } from '../map-heartrate.ts';
import { createContext } from '../oura.ts';
import { historyDays, rereadDays } from './days-pull.ts';

const dayMs = 86_400_000;
/** Clocks are at most this far from UTC: the local days of a window lie within it and so much more on both sides. */
const marginMs = 14 * 3_600_000;

/** Oura has no push for it: polling, and every sleep that is announced, bring it. */
export const heartratePull: PullSpec = {
  name: 'heartrate',
  resources: ['heartrate'],
  requiredScopes: ['heartrate'],
  // Thirty days at most in one call, margins included.
  chunkDays: 28,
  backfillDays: historyDays,
  rereadDays,
  collections: ['daily_sleep'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const offsets = await readDayOffsets(http, window, user.grantedScopes);
    const fromMs = utcMidnight(window.startDate) - marginMs;
    const toMs = utcMidnight(window.endDate) + dayMs + marginMs;
    for await (const answer of readInstants(http, 'heartrate', fromMs, toMs)) {
      yield { ...mapHeartrate(answer.body, window, offsets, context), version: answer.version };
    }
  },
};
