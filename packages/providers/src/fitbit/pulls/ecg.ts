import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { createMapContext, pageOf } from '../map-context.ts';
import { mapEcg } from '../map-ecg.ts';
import { listPages } from './list-pages.ts';

export const ecgPull: PullSpec = {
  name: 'ecg',
  resources: ['electrocardiogram', 'electrocardiogram_voltage'],
  requiredScopes: ['electrocardiogram'],
  chunkDays: 90,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: [],
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for await (const answer of listPages(http, '/1/user/-/ecg/list.json', window, 10)) {
      yield pageOf(answer, mapEcg(answer.body, window, context));
    }
  },
};
