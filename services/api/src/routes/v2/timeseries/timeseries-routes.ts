import { resources, type TimeseriesResource } from '@pulsewire/contract';
import type { Route } from '../../../route/route.ts';
import { readBucketsRoute } from './read-buckets.ts';
import { readFlatRoute } from './read-flat.ts';
import { readGroupedRoute } from './read-grouped.ts';
import { hypnogramRoutes } from './read-hypnogram.ts';
import { readSleepStreamRoute, readWorkoutStreamRoute } from './streams.ts';

/** The read slug, and the name in events where it differs (weight and fat). */
const slugsOf = ({ name, readSlug }: TimeseriesResource) => [...new Set([readSlug, name])];

function flatRoutes(row: TimeseriesResource): readonly Route[] {
  if (!row.hasFlatRead) return [];
  const kinds = row.name === 'cholesterol' && row.subKinds?.presence === 'required' ? row.subKinds.values : null;
  return [
    ...slugsOf(row).map((slug) => readFlatRoute(row, { slug })),
    // In the flat form its kinds have separate paths.
    ...(kinds === null ? [] : [readFlatRoute(row, { slug: row.readSlug, subKinds: kinds })]),
  ];
}

/** The reads of every series, derived from the rows of the resource registry. */
export const timeseriesRoutes: readonly Route[] = [
  ...resources.flatMap((row) =>
    row.kind === 'timeseries' && row.name !== 'hypnogram'
      ? [...slugsOf(row).map((slug) => readGroupedRoute(row, slug)), ...flatRoutes(row)]
      : [],
  ),
  readBucketsRoute,
  ...hypnogramRoutes,
  readSleepStreamRoute,
  readWorkoutStreamRoute,
];
