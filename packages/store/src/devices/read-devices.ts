import type { Device } from '@pulsewire/contract';
import { and, eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { devices } from '../model/tables.ts';
import { renderDevice } from './device-row.ts';

const devicesMax = 1000;

/** The devices of a user, by provider, oldest first; only that with `deviceId` when it is given. */
export async function readDevices(
  { orm }: Executor,
  { teamId, userId, deviceId }: { readonly teamId: string; readonly userId: string; readonly deviceId?: string },
): Promise<readonly Device[]> {
  const isTheirs = and(eq(devices.userId, userId), eq(devices.teamId, teamId));
  const where = deviceId === undefined ? isTheirs : and(isTheirs, eq(devices.deviceId, deviceId));
  const order = [devices.provider, devices.createdAt, devices.deviceId] as const;
  const rows = await run(
    orm
      .select()
      .from(devices)
      .where(where)
      .orderBy(...order)
      .limit(devicesMax),
  );
  return rows.map(renderDevice);
}
