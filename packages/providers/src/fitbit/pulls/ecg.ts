import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { allMeasured, allSummaries } from '../context/all-of.ts';
import { createMapContext, pageOf } from '../context/map-context.ts';
import { mapEcg } from '../mappers/map-ecg.ts';
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
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for await (const { response, isWhole } of listPages(http, '/1/user/-/ecg/list.json', window, 10)) {
      const allOf = isWhole
        ? [
            ...allSummaries('electrocardiogram', ['watch'], window),
            ...allMeasured('electrocardiogram_voltage', window, context, Number.NEGATIVE_INFINITY, 'lead_1'),
          ]
        : [];
      yield pageOf(response, { ...mapEcg(response.body, window, context), allOf });
    }
  },
};
