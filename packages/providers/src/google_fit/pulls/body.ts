import { historyDaysMax } from '../../kit/history-depth.ts';
import { samplesBetween, summariesOn } from '../../kit/records/complete-ranges.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints, stretchOf } from '../data-sets.ts';
import { createContext, fitScopes, mergedStream, readingSources } from '../google-fit.ts';
import { mapBody } from '../mappers/map-body.ts';

/** A scale writes weight and fat as two streams; both are read before they are stored, so that a body summary is complete. */
export const bodyPull: PullSpec = {
  name: 'body',
  resources: ['weight', 'fat', 'body'],
  requiredScopes: [fitScopes.body],
  chunkDays: 90,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 5,
  collections: [],
  deletions: 'by_absence',
  async *pull({ http, user, window, now }) {
    const context = createContext(user);
    const stretch = stretchOf(window, context);
    const weight = await collectPages(readPoints(http, mergedStream('weight', 'merge_weight'), stretch));
    const fat = await collectPages(readPoints(http, mergedStream('body.fat.percentage', 'merged'), stretch));
    const version = weight?.version ?? fat?.version;
    if (version === undefined) return;
    const read = [...(weight ? ['weight'] : []), ...(fat ? ['fat'] : [])];
    const partOf = [...summariesOn(window, readingSources, 'body'), ...samplesBetween(stretch, now, readingSources, read)];
    yield { version, ...mapBody({ weight: weight?.bodies ?? [], fat: fat?.bodies ?? [] }, context), partOf };
  },
};
