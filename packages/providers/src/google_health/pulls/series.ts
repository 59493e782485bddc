import { historyDaysMax } from '../../kit/history-depth.ts';
import { samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { collectTypes, readPoints, widen } from '../data-points.ts';
import { createContext, googleScopes, listedSources, mergedSource } from '../google-health.ts';
import { mapSeries, mapWeighings } from '../mappers/map-series.ts';
import { fatType, seriesRows, weightType, type SeriesRow, type SeriesType } from '../series.ts';

const sourcesOf = (types: readonly SeriesType[]): readonly string[] => [
  ...(types.some(({ operation }) => operation === 'reconcile') ? [mergedSource] : []),
  ...(types.some(({ operation }) => operation === 'list') ? listedSources : []),
];

const common = { reachDays: historyDaysMax, rereadDays: 5, deletions: 'by_absence' } as const;

function createSeriesPull(row: SeriesRow): PullSpec {
  const { resource, scope, chunkDays, backfillDays, types, combined } = row;
  const names = types.map(({ type }) => type);
  return {
    ...common,
    name: types[0].type,
    resources: [resource],
    requiredScopes: [scope],
    chunkDays,
    backfillDays,
    collections: names,
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      const partOf = samplesInside(widen(window, 1), now, sourcesOf(types), [resource]);
      if (combined === undefined) {
        for await (const { body, version } of readPoints(http, { ...types[0], window: widen(window, 1) }))
          yield { version, ...mapSeries({ [types[0].type]: [body] }, row, context), partOf };
        return;
      }
      // It takes another day to know what the first night has.
      const wide = widen(window, 2);
      const found = await collectTypes(http, types, wide);
      if (found !== null) yield { version: found.version, ...mapSeries(found.bodies, row, context, wide.startDate), partOf };
    },
  };
}

/** Weight and fat together, because the body summary of a weighing has both. */
const weighingsPull: PullSpec = {
  ...common,
  name: weightType.type,
  resources: ['body', 'weight', 'fat'],
  requiredScopes: [googleScopes.metrics],
  chunkDays: 90,
  backfillDays: 365,
  collections: [weightType.type, fatType.type],
  async *pull({ http, user, window, now }) {
    const wide = widen(window, 1);
    const found = await collectTypes(http, [weightType, fatType], wide);
    if (found === null) return;
    const partOf = [...samplesInside(wide, now, listedSources, ['weight', 'fat']), ...summariesOn(window, listedSources, 'body')];
    yield { version: found.version, ...mapWeighings(found.bodies, window, createContext(user)), partOf };
  },
};

/** A pull for each series, and one for weighings. */
export const seriesPulls: readonly PullSpec[] = [weighingsPull, ...seriesRows.map(createSeriesPull)];
