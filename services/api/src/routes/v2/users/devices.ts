import { getUser } from '@pulsewire/connections';
import { DevicesBody, UserParams, Device, DeviceParams } from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { readDevices } from '@pulsewire/store';
import { defineRoute, ok, type Route } from '../../../route/route.ts';

const listDevicesRoute = defineRoute({
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

const getDeviceRoute = defineRoute({
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

/** Devices of a user. */
export const deviceRoutes: readonly Route[] = [listDevicesRoute, getDeviceRoute];
