import type { Quarantined } from '@pulsewire/contract';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { readService, readServicePages } from '../call.ts';
import { mapSignal, readRecordings } from '../map-heart.ts';
import { createContext } from '../withings.ts';
import { historyDays, instantsOf, rereadDays } from './depths.ts';

/** The recordings of some days, and of each its signal. */
export const heartPull: PullSpec = {
  name: 'heart',
  resources: ['electrocardiogram', 'electrocardiogram_voltage'],
  requiredScopes: ['user.metrics'],
  chunkDays: 90,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays,
  deletions: { unseen: 'The list is paged, and a signal has an answer of its own.' },
  collections: ['54'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for await (const { body, version } of readServicePages(http, '/v2/heart', { action: 'list', ...instantsOf(window) })) {
      const quarantined: Quarantined[] = [];
      const recordings = readRecordings(body, window, quarantined, context);
      yield { records: [], quarantined, version };
      for (const recording of recordings) {
        const signal = await readService(http, '/v2/heart', { action: 'get', signalid: recording.signalId });
        yield { ...mapSignal(signal.body, recording, context), version };
      }
    }
  },
};
