import { namesIn, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { listedDaysOf } from '../complete-days.ts';
import { mapSleep } from '../mappers/map-sleep.ts';
import { createContext, listIn, readNights, watch } from '../polar.ts';
import { historyDays, rereadDays } from './clocked-pull.ts';

export const sleepPull: PullSpec = {
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle', 'hrv', 'respiratory_rate'],
  requiredScopes: [],
  chunkDays: historyDays,
  backfillDays: historyDays,
  rereadDays,
  deletions: 'by_absence',
  // The recharge of a night has no event of its own.
  collections: ['SLEEP'],
  async *pull({ http, user, window, now }) {
    const { body: sleep, version } = await readNights(http);
    const { body: recharge } = await http.get('/users/nightly-recharge');
    const context = createContext(user, sleep);
    // No answer at all, which is how Polar says that there is nothing, is not believed.
    const days = sleep === undefined ? null : listedDaysOf(window, now);
    const partOf = days === null ? [] : summariesOn(days, watch, 'sleep', 'sleep_cycle');
    const named = namesIn(listIn(sleep, 'nights'), 'date', watch, context, 'sleep', 'sleep_cycle');
    yield { ...mapSleep({ sleep, recharge }, window, context), version, partOf, named };
  },
};
