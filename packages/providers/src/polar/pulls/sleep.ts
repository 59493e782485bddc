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
  // There is no event for nightly recharge.
  collections: ['SLEEP'],
  async *pull({ http, user, window, now }) {
    const { body: sleep, version } = await readNights(http);
    const { body: recharge } = await http.get('/users/nightly-recharge');
    const context = createContext(user, sleep);
    // An empty response, which Polar also sends when there is no data, does not prove that data was deleted.
    const days = sleep === undefined ? null : listedDaysOf(window, now);
    const partOf = days === null ? [] : summariesOn(days, watch, 'sleep', 'sleep_cycle');
    const named = namesIn(listIn(sleep, 'nights'), 'date', watch, context, 'sleep', 'sleep_cycle');
    yield { ...mapSleep({ sleep, recharge }, window, context), version, partOf, named };
  },
};
