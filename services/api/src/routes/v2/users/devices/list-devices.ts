import { DevicesBody, UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { readDevices } from '@pulsewire/store';
import { defineRoute, ok } from '../../../../route/route.ts';

export const listDevicesRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/{user_id}/device',
  operationId: 'listDevices',
  area: 'users',
  auth: 'key',
  summary: 'List the devices that recorded the data of a user',
  description: 'As far as providers name them. The `source` of a record refers to one by `device_id`.',
  params: UserParams,
  responses: { 200: { description: 'The devices; may be empty.', schema: DevicesBody } },
  failures: [404],
  async handler({ database, team: { teamId } }, { params: { user_id: userId } }) {
    await getUser(database, teamId, userId);
    return ok(await readDevices(database, { teamId, userId }));
  },
});
