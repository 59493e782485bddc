import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints } from '../data-points.ts';
import { createContext, googleScopes } from '../google-health.ts';
import { mapEcg } from '../mappers/map-ecg.ts';

export const ecgPull: PullSpec = {
  name: 'electrocardiogram',
  resources: ['electrocardiogram', 'electrocardiogram_voltage'],
  requiredScopes: [googleScopes.ecg],
  chunkDays: 30,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: [],
  deletions: { unseen: 'The list has no upper bound, so a window is never known to be complete.' },
  async *pull({ http, user, window }) {
    for await (const response of readPoints(http, { type: 'electrocardiogram', kind: 'ecg', window }))
      yield { version: response.version, ...mapEcg(response.body, window, createContext(user)) };
  },
};
