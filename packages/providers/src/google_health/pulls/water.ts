import { historyDaysMax } from '../../kit/history-depth.ts';
import { samplesInside } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints } from '../data-points.ts';
import { createContext, googleScopes } from '../google-health.ts';
import { mapWater } from '../mappers/map-water.ts';

export const waterPull: PullSpec = {
  name: 'hydration-log',
  resources: ['water'],
  requiredScopes: [googleScopes.nutrition],
  chunkDays: 30,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  deletions: 'by_absence',
  collections: ['hydration-log'],
  async *pull({ http, user, window, now }) {
    const partOf = samplesInside(window, now, 'app', ['water']);
    for await (const response of readPoints(http, { type: 'hydration-log', kind: 'session', window }))
      yield { version: response.version, ...mapWater(response.body, createContext(user)), partOf };
  },
};
