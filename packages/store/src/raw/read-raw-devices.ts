import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { deviceContext, openRaw, type RawCipher } from '../model/seal-raw.ts';
import { devices } from '../model/tables.ts';

const devicesMax = 1000;

/** A provider's JSON about a device. */
export interface RawDeviceEntry {
  readonly id: string;
  readonly provider: string;
  /** The provider's id of the device. */
  readonly externalId: string;
  readonly data: unknown;
}

/** The raw forms of a user's devices, oldest first; `provider` '' means all. */
export async function readRawDevices(
  { orm }: Executor,
  cipher: RawCipher,
  { teamId, userId, provider }: { readonly teamId: string; readonly userId: string; readonly provider: string },
): Promise<readonly RawDeviceEntry[]> {
  const isTheirs = and(eq(devices.userId, userId), eq(devices.teamId, teamId), isNotNull(devices.raw));
  const where = provider === '' ? isTheirs : and(isTheirs, eq(devices.provider, provider));
  const rows = await run(
    orm
      .select({ id: devices.deviceId, provider: devices.provider, externalId: devices.externalId, raw: devices.raw })
      .from(devices)
      .where(where)
      .orderBy(asc(devices.createdAt), asc(devices.deviceId))
      .limit(devicesMax),
  );
  return Promise.all(
    rows.map(async ({ raw, ...row }) => ({
      ...row,
      data: JSON.parse(await openRaw(cipher, raw as Buffer, deviceContext(row.id, userId))) as unknown,
    })),
  );
}
