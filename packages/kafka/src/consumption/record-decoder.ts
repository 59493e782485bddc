import type { Executor } from '@pulsewire/database';
import { type LogEvent, readEvents } from '@pulsewire/eventlog';
import { addressOf, headOf, type EventAddress } from '../records/event-record.ts';
import type { ReaderCache } from '../records/reader-cache.ts';
import { unwrapAvro } from '../records/wire-format.ts';
import type { IncomingRecord } from './consumer-port.ts';

/** A record with its place in the log. */
export interface AddressedRecord extends EventAddress {
  readonly record: IncomingRecord;
}

/** Records that name their event's place; all others are foreign. */
export function addressed(record: IncomingRecord): AddressedRecord | null {
  const address = addressOf(record.headers);
  if (address === null) return null;
  const { shard, offset, day } = address;
  return { record, shard, offset, day };
}

interface Decoded {
  readonly event: LogEvent;
  readonly isExact: boolean;
}

/** Requests unknown schemas from the registry first, so that the decoding does not wait for them. */
async function findReaders(readers: ReaderCache, records: readonly AddressedRecord[]): Promise<void> {
  for (const { record } of records) {
    const framed = record.value === null ? null : unwrapAvro(record.value);
    if (framed !== null && readers.peek(framed.schemaId) === undefined) await readers.find(framed.schemaId);
  }
}

function decode(addressedRecord: AddressedRecord, readers: ReaderCache): Decoded | null {
  const { headers, value } = addressedRecord.record;
  const head = headOf(headers, addressedRecord);
  const framed = value === null ? null : unwrapAvro(value);
  if (head === null || framed === null) return null;
  const reader = readers.peek(framed.schemaId);
  if (reader === undefined) return null;
  try {
    return { event: { ...head.head, body: { kind: 'json', json: reader.toJson(framed.avro) } }, isExact: head.isExact };
  } catch {
    return null;
  }
}

/**
 * The events of records, by their place. Records that cannot be read, or not byte for byte, are read from Postgres; null when the event is
 * not there either.
 */
export async function decodeRecords(
  executor: Executor,
  readers: ReaderCache,
  records: readonly AddressedRecord[],
): Promise<readonly (LogEvent | null)[]> {
  await findReaders(readers, records);
  const decoded = records.map((record) => decode(record, readers));
  const missing = records.filter((_, index) => decoded[index]?.isExact !== true);
  if (missing.length === 0) return decoded.map((one) => one?.event ?? null);
  const stored = new Map((await readEvents(executor, missing)).map((event) => [`${event.shard}:${event.offset}`, event]));
  return records.map(({ shard, offset }, index) => {
    const one = decoded[index] ?? null;
    return one?.isExact === true ? one.event : (stored.get(`${shard}:${offset}`) ?? one?.event ?? null);
  });
}
