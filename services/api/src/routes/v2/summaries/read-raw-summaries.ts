import { Type } from 'typebox';
import { rawEntrySchemas, SummaryQuery, UserParams, type RawResource } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { scanRawEntries, stateOfRawEntries } from '@pulsewire/store';
import { defineRoute, ok, streamed, type Route } from '../../../route/route.ts';
import { jsonArray, jsonObject } from '../../../render/json-chunks.ts';
import { rawTexts } from '../../../render/raw.ts';
import { windowFields } from '../../../schemas/window.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { summaryWindow } from '../../../validate/read-window.ts';

const RawSummaryQuery = Type.Object({ ...SummaryQuery.properties, ...windowFields }, { title: 'RawSummaryQuery' });

type ListedRaw = Exclude<RawResource, 'profile'>;

function readRawRoute(resource: ListedRaw): Route {
  return defineRoute({
    method: 'GET',
    path: `/v2/summary/${resource}/{user_id}/raw`,
    operationId: `readRaw${resource.charAt(0).toUpperCase()}${resource.slice(1)}`,
    area: 'summaries',
    auth: 'key',
    summary: `Read the raw form of ${resource} summaries`,
    description:
      "The provider's own JSON that each summary was mapped from, ascending. Kept from the moment at which raw data is enabled for the team; " +
      'empty for other teams. Not paged: the window limits the response.',
    params: UserParams,
    query: RawSummaryQuery,
    responses: {
      200: {
        description: 'The raw forms in the window; may be empty.',
        schema: Type.Object({ [resource]: Type.Array(rawEntrySchemas[resource]) }),
      },
    },
    failures: [404],
    refine: ({ query }, { clock }) => orderedBounds(query, clock.now()),
    async handler(context, { params: { user_id: userId }, query }) {
      const { database, team, rawCipher, teamSlots, clock } = context;
      const { teamId } = team;
      await getUser(database, teamId, userId);
      if (!team.providerRawData) return ok({ [resource]: [] });
      const wanted = { teamId, userId, resource, provider: query.provider ?? '', window: summaryWindow(query, clock.now()) };
      const pages = scanRawEntries(database, rawCipher, wanted, (page) => teamSlots.run(teamId, page));
      const state = await stateOfRawEntries(database, wanted);
      return streamed(jsonObject([[resource, jsonArray(rawTexts(context, { resource, userId }, pages))]]), state);
    },
  });
}

/** The raw forms of the summaries that are lists. */
export const rawSummaryRoutes: readonly Route[] = (['activity', 'body', 'sleep', 'workouts'] as const).map(readRawRoute);
