import { Type } from 'typebox';
import { RawDevice, SummaryProviderQuery, UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { readRawDevices } from '@pulsewire/store';
import { rawFields } from '../../../render/raw.ts';
import { defineRoute, ok } from '../../../route/route.ts';

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
