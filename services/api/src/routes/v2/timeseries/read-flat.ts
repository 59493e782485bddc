import { Type } from 'typebox';
import { closedEnum, flatBody, TimeseriesQuery, type TimeseriesResource, Uuid } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { stateOfSamples } from '@pulsewire/store';
import { defineRoute, streamed, type Route } from '../../../route/route.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { instants } from '../../../validate/read-window.ts';
import { jsonArray } from '../../../render/json-chunks.ts';
import { windowFields } from '../../../schemas/window.ts';
import { operationName } from './operation-name.ts';
import { sampleTexts } from './series-window.ts';

const FlatQuery = Type.Object({ ...TimeseriesQuery.properties, ...windowFields }, { title: 'TimeseriesQuery' });

interface FlatPath {
  /** Last part of the path and name of the operation. */
  readonly slug: string;
  /** Sub-kinds that follow the slug in the path; absent: the path ends with the slug and all are read. */
  readonly subKinds?: readonly string[];
}

/** The deprecated flat read of one series: an array of the window's samples from all sources, without their sources. */
export function readFlatRoute(row: TimeseriesResource, { slug, subKinds }: FlatPath): Route {
  const user = { user_id: Uuid };
  const kind = subKinds && { kind: closedEnum(subKinds) };
  return defineRoute({
    method: 'GET',
    path: `/v2/timeseries/{user_id}/${slug}${subKinds ? '/{kind}' : ''}`,
    operationId: operationName('read', slug, subKinds ? 'by_kind' : ''),
    area: 'timeseries',
    auth: 'key',
    deprecated: true,
    deprecation: 'flat_timeseries_reads',
    summary: `Read ${row.name.replaceAll('_', ' ')} samples as a flat array`,
    description: 'Use the grouped read, which names the source of each sample and is paged.',
    params: Type.Object({ ...user, ...kind }),
    query: FlatQuery,
    responses: { 200: { description: 'All samples of the window, ascending in time.', schema: flatBody(row) } },
    failures: [404],
    refine: ({ query }, { clock }) => orderedBounds(query, clock.now()),
    async handler(context, { params, query }) {
      const { user_id: userId } = params;
      await getUser(context.database, context.team.teamId, userId);
      const subKind = (params as { readonly kind?: string }).kind;
      const window = { userId, subKind, provider: query.provider, ...instants(query, context.clock.now()) };
      const state = await stateOfSamples(context.database, { ...window, teamId: context.team.teamId, resource: row.name });
      return streamed(jsonArray(sampleTexts(context, row, window)), state);
    },
  });
}
