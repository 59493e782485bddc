import type { PullSpec } from '../../kit/types.ts';
import { mapSleep } from '../map-sleep.ts';
import { createContext, readNights } from '../polar.ts';
import { historyDays, rereadDays } from './clocked-pull.ts';

export const sleepPull: PullSpec = {
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle', 'hrv', 'respiratory_rate'],
  requiredScopes: [],
  chunkDays: historyDays,
  backfillDays: historyDays,
  rereadDays,
  deletions: { unseen: 'A date keeps its night: another one replaces it.' },
  // The recharge of a night has no event of its own.
  collections: ['SLEEP'],
  async *pull({ http, user, window }) {
    const { body: sleep, version } = await readNights(http);
    const { body: recharge } = await http.get('/users/nightly-recharge');
    yield { ...mapSleep({ sleep, recharge }, window, createContext(user, sleep)), version };
  },
};
