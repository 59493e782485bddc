import { isUuid } from '@pulsewire/kernel';
import type { SeenDevice } from '@pulsewire/contract';
import { inArray } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import { deviceContext, isSealed, rawBytesMax, sealRaw, type RawCipher } from '../model/seal-raw.ts';
import { devices } from '../model/tables.ts';
import type { RecordOwner } from '../model/types.ts';
import { lockRecords } from '../model/user-lock.ts';
import { renderDevice } from './device-row.ts';

/** The provider and user that the devices belong to. */
export interface DeviceSighting {
  readonly owner: RecordOwner;
  readonly provider: string;
  readonly traceId: string | null;
  /** True: the devices are from the provider's list. False: records name them, which only fills unknown fields. */
  readonly isList: boolean;
  /** Seals the provider's description of a device. Absent: the team has raw data disabled. */
  readonly rawCipher?: RawCipher | undefined;
}

type Row = typeof devices.$inferSelect;

const textMax = 200;
const devicesMax = 200;

function cleanText(text: string | null): string | null {
  const clean = text?.toWellFormed().replaceAll('\0', '').trim().slice(0, textMax) ?? '';
  return clean === '' ? null : clean;
}

/** Stores devices and emits an event for each new or changed one. Locks the user. */
export async function writeDevices(tx: Tx, emit: Emit, sighting: DeviceSighting, seen: readonly SeenDevice[]): Promise<void> {
  const usable = seen.filter(({ id, externalId }) => isUuid(id) && cleanText(externalId) !== null).slice(0, devicesMax);
  if (usable.length === 0) return;
  const { owner } = sighting;
  await lockRecords(tx, owner.userId);
  const ids = usable.map(({ id }) => id);
  const stored = await run(tx.orm.select().from(devices).where(inArray(devices.deviceId, ids)));
  const known = new Map(stored.map((row) => [row.deviceId, row]));
  const changed: { readonly after: Row; readonly isNew: boolean; readonly isShown: boolean }[] = [];
  for (const device of usable) {
    const before = known.get(device.id);
    const raw = await rawOf(device, before, sighting);
    const after = { ...merge(device, before, sighting), raw };
    const isShown = !before || !isSame(before, after);
    if (isShown || raw !== before.raw) changed.push({ after, isNew: before === undefined, isShown });
  }
  for (const { after } of changed) {
    const { deviceId: _id, createdAt: _at, ...fields } = after;
    await run(tx.orm.insert(devices).values(after).onConflictDoUpdate({ target: devices.deviceId, set: fields }));
  }
  for (const { after, isNew, isShown } of changed) {
    if (!isShown) continue;
    const eventType = isNew ? 'provider.device.created' : 'provider.device.updated';
    emit(jsonEvent({ eventType, ...owner, traceId: sighting.traceId, data: renderDevice(after) }));
  }
}

/** The sealed raw form after this sighting; the same buffer when it stays. */
async function rawOf(device: SeenDevice, before: Row | undefined, { owner, isList, rawCipher }: DeviceSighting): Promise<Buffer | null> {
  const stored = before?.raw ?? null;
  if (!rawCipher || device.raw === undefined || (stored !== null && !isList)) return stored;
  const json = JSON.stringify(device.raw);
  const context = deviceContext(device.id, owner.userId);
  if (Buffer.byteLength(json) > rawBytesMax || (await isSealed(rawCipher, stored, json, context))) return stored;
  return sealRaw(rawCipher, json, context);
}

function merge(device: SeenDevice, before: Row | undefined, { owner, provider, isList }: DeviceSighting): Omit<Row, 'raw'> {
  const now = new Date().toISOString();
  const pick = (seen: string | null, stored: string | null | undefined) => (isList ? (seen ?? stored) : (stored ?? seen)) ?? null;
  return {
    deviceId: device.id,
    teamId: owner.teamId,
    userId: owner.userId,
    provider,
    sourceType: (isList ? device.sourceType : before?.sourceType) ?? device.sourceType,
    appId: before?.appId ?? null,
    manufacturer: pick(cleanText(device.manufacturer), before?.manufacturer),
    model: pick(cleanText(device.model), before?.model),
    version: pick(cleanText(device.version), before?.version),
    externalId: cleanText(device.externalId) ?? '',
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
}

function isSame(before: Row, after: Row): boolean {
  const fields = ['sourceType', 'manufacturer', 'model', 'version'] as const;
  return fields.every((field) => before[field] === after[field]);
}
