import { Type } from 'typebox';
import { Device } from '../events/connection-events.ts';
import { Uuid } from '../fields/fields.ts';

/** Response of GET /v2/user/{user_id}/device. */
export const DevicesBody = Type.Array(Device, { title: 'DevicesBody' });

/** Path of one device. */
export const DeviceParams = Type.Object({ user_id: Uuid, device_id: Uuid }, { title: 'DeviceParams' });
