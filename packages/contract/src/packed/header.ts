import type { SourceRef } from '../records/records.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** What all samples of a packed batch share. */
export interface PackedHeader {
  readonly userId: string;
  /** The provider's number, `source_id` on the wire. */
  readonly sourceId: number;
  readonly source: SourceRef;
  readonly resource: string;
  /** Only for samples with a required sub-kind. */
  readonly subKind?: string | undefined;
}

type Stored = readonly [
  userId: string,
  sourceId: number,
  resource: string,
  subKind: string | null,
  provider: string,
  type: string,
  appId: string | null,
  deviceId: string | null,
  sport: string | null,
  workoutId: string | null,
];

export function writeHeader(writer: ByteWriter, { userId, sourceId, source, resource, subKind }: PackedHeader): void {
  const { provider, type, appId = null, deviceId = null, sport = null, workoutId = null } = source;
  const stored: Stored = [userId, sourceId, resource, subKind ?? null, provider, type, appId, deviceId, sport, workoutId];
  writer.text(JSON.stringify(stored));
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isStored(value: unknown): value is Stored {
  if (!Array.isArray(value) || value.length !== 10) return false;
  const fields: readonly unknown[] = value;
  const texts = [fields[0], fields[2], fields[4], fields[5]];
  return (
    texts.every((text) => typeof text === 'string') &&
    Number.isSafeInteger(fields[1]) &&
    isTextOrNull(fields[3]) &&
    fields.slice(6).every(isTextOrNull)
  );
}

export function readHeader(reader: ByteReader): PackedHeader {
  const stored = reader.json();
  if (!isStored(stored)) throw reader.fail('bad_header');
  const [userId, sourceId, resource, subKind, provider, type, appId, deviceId, sport, workoutId] = stored;
  const source: SourceRef = { provider, type, appId, deviceId, sport, workoutId };
  return subKind === null ? { userId, sourceId, source, resource } : { userId, sourceId, source, resource, subKind };
}
