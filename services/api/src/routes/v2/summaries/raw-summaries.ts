import { getUser } from '@pulsewire/connections';
import {
  rawEntrySchemas,
  SummaryQuery,
  UserParams,
  type RawResource,
  RawProfile,
  SummaryProviderQuery,
  RawDevice,
} from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { scanRawEntries, stateOfRawEntries, type RawEntry, readRawDevices } from '@pulsewire/store';
import { Type } from 'typebox';
import { jsonArray, jsonObject } from '../../../render/json-chunks.ts';
import { rawTexts, rawFields } from '../../../render/raw.ts';
import { defineRoute, ok, streamed, type Route } from '../../../route/route.ts';
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

export const readRawProfileRoute = defineRoute({
  method: 'GET',
  path: '/v2/summary/profile/{user_id}/raw',
  operationId: 'readRawProfile',
  area: 'summaries',
  auth: 'key',
  summary: 'Read the raw form of the profile of a user',
  description: 'With several providers, the one that changed last. 404 for teams without raw data.',
  params: UserParams,
  query: SummaryProviderQuery,
  responses: { 200: { description: 'The raw form.', schema: Type.Object({ profile: RawProfile }) } },
  failures: [404],
  async handler(context, { params: { user_id: userId }, query }) {
    const { database, team, rawCipher, teamSlots } = context;
    const { teamId } = team;
    await getUser(database, teamId, userId);
    const wanted = { teamId, userId, resource: 'profile', provider: query.provider ?? '', window: { by: 'all' } } as const;
    let latest: RawEntry | undefined;
    if (team.providerRawData) {
      for await (const page of scanRawEntries(database, rawCipher, wanted, (read) => teamSlots.run(teamId, read))) {
        latest = [...(latest ? [latest] : []), ...page].reduce((a, b) => (Date.parse(b.updatedAt) > Date.parse(a.updatedAt) ? b : a));
      }
    }
    if (!latest) throw new AppError({ code: 'profile_not_found', kind: 'not_found', message: 'There is no raw profile for this user' });
    const { createdAt: created_at, updatedAt: updated_at } = latest;
    return ok({ profile: { ...rawFields(context, userId, latest), priority_id: 0, created_at, updated_at } });
  },
});

export const readRawDevicesRoute = defineRoute({
  method: 'GET',
  path: '/v2/summary/devices/{user_id}/raw',
  operationId: 'readRawDevices',
  area: 'summaries',
  auth: 'key',
  summary: 'Read the raw forms of the devices of a user',
  description: "The part of a provider's JSON that describes a device. Empty for teams without raw data.",
  params: UserParams,
  query: SummaryProviderQuery,
  responses: { 200: { description: 'The devices; may be empty.', schema: Type.Object({ devices: Type.Array(RawDevice) }) } },
  failures: [404],
  async handler(context, { params: { user_id: userId }, query }) {
    const { database, team, rawCipher } = context;
    const { teamId } = team;
    await getUser(database, teamId, userId);
    if (!team.providerRawData) return ok({ devices: [] });
    const devices = await readRawDevices(database, rawCipher, { teamId, userId, provider: query.provider ?? '' });
    return ok({ devices: devices.map((device) => ({ ...rawFields(context, userId, device), provider_id: device.externalId })) });
  },
});
