import type { CanonicalRecord, Sample, SeenDevice } from '@pulsewire/contract';
import type { JsonNode } from '../values/json-node.ts';
import { deviceId } from '../values/ids.ts';
import type { RecordMaker } from './record-maker.ts';

/** The device of the maker's user; null when it has no id. */
export function deviceOf(
  { provider, user }: Pick<RecordMaker, 'provider' | 'user'>,
  { externalId, ...facts }: Omit<SeenDevice, 'id' | 'externalId'> & { readonly externalId: string | null },
): SeenDevice | null {
  return externalId === null ? null : { id: deviceId({ userId: user.userId, provider, externalId }), externalId, ...facts };
}

/**
 * A device of which a response states only the name of its model: the name is its id too, so that two of the same model are one device.
 * Null without a name.
 */
export function namedDevice(
  context: Pick<RecordMaker, 'provider' | 'user'>,
  name: string | null,
  facts: Pick<SeenDevice, 'sourceType' | 'manufacturer' | 'raw'> & { readonly model?: string | null },
): SeenDevice | null {
  return deviceOf(context, { version: null, ...facts, externalId: name, model: facts.model ?? name });
}

/** The records with their device, if it is known. */
export function recordedBy<Record extends CanonicalRecord>(device: SeenDevice | null, records: readonly Record[]): readonly Record[] {
  if (device === null) return records;
  return records.map((record) => ('source' in record ? { ...record, source: { ...record.source, deviceId: device.id, device } } : record));
}

/** A reading with the device that its response names. */
export interface DeviceReading {
  readonly device: SeenDevice | null;
  readonly sample: Sample;
}

/** The records that `build` makes of the readings of each device. */
export function recordedByEach(
  readings: readonly DeviceReading[],
  build: (samples: readonly Sample[]) => readonly CanonicalRecord[],
): CanonicalRecord[] {
  const byDevice = Map.groupBy(readings, ({ device }) => device?.id ?? '');
  return [...byDevice.values()].flatMap((group) => recordedBy(group[0]?.device ?? null, build(group.map(({ sample }) => sample))));
}

/** An item's description of its device: those of these fields that it has. */
export function deviceFields(item: JsonNode, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.flatMap((name) => (item.at(name).isMissing ? [] : [[name, item.at(name).value]])));
}

/** A text of a response, or null for anything else: an unreadable device name must not prevent a record from being read. */
export function textOrNull({ value }: JsonNode): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
