import type { CanonicalRecord, SeenDevice } from '@pulsewire/contract';
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

/** The records with their device, if it is known. */
export function recordedBy<Record extends CanonicalRecord>(device: SeenDevice | null, records: readonly Record[]): readonly Record[] {
  if (device === null) return records;
  return records.map((record) => ('source' in record ? { ...record, source: { ...record.source, deviceId: device.id, device } } : record));
}

/** A text of a response, or null for anything else: an unreadable device name must not prevent a record from being read. */
export function textOrNull({ value }: JsonNode): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
