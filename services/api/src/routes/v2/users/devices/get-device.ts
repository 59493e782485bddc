import { AppError } from '@pulsewire/kernel';
import { Device, DeviceParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { readDevices } from '@pulsewire/store';
import { defineRoute, ok } from '../../../../route/route.ts';

export const getDeviceRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/{user_id}/device/{device_id}',
  operationId: 'getDevice',
  area: 'users',
  auth: 'key',
  summary: 'Read a device of a user',
  params: DeviceParams,
  responses: { 200: { description: 'The device.', schema: Device } },
  failures: [404],
  async handler({ database, team: { teamId } }, { params: { user_id: userId, device_id: deviceId } }) {
    await getUser(database, teamId, userId);
    const [device] = await readDevices(database, { teamId, userId, deviceId });
    if (!device) throw new AppError({ code: 'device_not_found', kind: 'not_found', message: 'Device not found' });
    return ok(device);
  },
});
