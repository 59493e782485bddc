import { addDays } from '../../kit/time/days.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints } from '../data-points.ts';
import { createContext, listedSources, mergedSource } from '../google-health.ts';
import { mapSeries } from '../mappers/map-series.ts';
import { mapWeight } from '../mappers/map-weight.ts';
import { seriesRows, type SeriesRow } from '../series.ts';

const weightType = 'weight';

/** One data type; of weighings, the body summaries too. */
function createSeriesPull(row: SeriesRow): PullSpec {
  const { type, resource, scope, kind, operation, chunkDays, backfillDays } = row;
  const isWeight = type === weightType;
  const sources = operation === 'reconcile' ? mergedSource : listedSources;
  return {
    name: type,
    resources: isWeight ? [resource, 'body'] : [resource],
    requiredScopes: [scope],
    chunkDays,
    backfillDays,
    reachDays: historyDaysMax,
    rereadDays: 5,
    collections: [type],
    deletions: 'by_absence',
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      // Ranges keep a distance from days whose offsets are unknown: with a day more at both ends the whole window is complete.
      const wide = { ...window, startDate: addDays(window.startDate, -1), endDate: addDays(window.endDate, 1) };
      const partOf = [...samplesInside(wide, now, sources, [resource]), ...(isWeight ? summariesOn(window, listedSources, 'body') : [])];
      for await (const response of readPoints(http, { type, kind, window: wide, operation })) {
        const mapped = isWeight ? mapWeight(response.body, row, context) : mapSeries(response.body, row, context);
        yield { version: response.version, ...mapped, partOf };
      }
    },
  };
}

/** A pull for each data type that is a series of its own. */
export const seriesPulls: readonly PullSpec[] = seriesRows.map(createSeriesPull);
