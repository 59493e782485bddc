import { completeDays } from '../../kit/pull-presets.ts';
import { samplesBetween } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints, stretchOf } from '../data-sets.ts';
import { createContext } from '../google-fit.ts';
import { mapSeries } from '../mappers/map-series.ts';
import { seriesRows, type SeriesRow } from '../series.ts';

function createSeriesPull(row: SeriesRow): PullSpec {
  const { resource, stream, scope, chunkDays, sources } = row;
  return {
    ...completeDays,
    name: resource,
    resources: [resource],
    requiredScopes: [scope],
    chunkDays,
    backfillDays: 90,
    collections: [],
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      const stretch = stretchOf(window, context);
      const partOf = samplesBetween(stretch, now, sources, [resource]);
      for await (const response of readPoints(http, stream, stretch))
        yield { version: response.version, ...mapSeries(response.body, row, context), partOf };
    },
  };
}

/** A pull for each data type that is a series of its own. */
export const seriesPulls: readonly PullSpec[] = seriesRows.map(createSeriesPull);
