import { errorCode, isAppError } from '@pulsewire/kernel';
import type { OutgoingRecord } from '../records/event-record.ts';
import type { EventWriter } from '../records/event-writer.ts';
import { isErased } from '@pulsewire/eventlog';
import { poisonOf, type PoisonRecord } from '../records/poison.ts';
import type { QueuedEvent } from './relay-queue.ts';

/** A batch ready to be sent: records by topic, each with its event. */
export interface EncodedBatch {
  readonly events: readonly QueuedEvent[];
  readonly records: ReadonlyMap<string, readonly { readonly source: QueuedEvent; readonly record: OutgoingRecord }[]>;
  readonly poison: readonly PoisonRecord[];
}

/**
 * Creates the records of a batch. An event that does not fit its schema becomes a poison record with the reason and does not stop the rest;
 * any other error (the registry is unavailable) is thrown, and the caller retries the batch.
 */
export async function encodeBatch(
  writer: EventWriter,
  eventsTopic: string,
  group: string,
  events: readonly QueuedEvent[],
): Promise<EncodedBatch> {
  const records = new Map<string, { source: QueuedEvent; record: OutgoingRecord }[]>();
  const poison: PoisonRecord[] = [];
  const add = (topic: string, source: QueuedEvent, record: OutgoingRecord) => {
    const list = records.get(topic);
    if (list) list.push({ source, record });
    else records.set(topic, [{ source, record }]);
  };
  for (const source of events) {
    // No record is published; readers that wait for the sequence find the erased event in Postgres.
    if (isErased(source.event)) continue;
    try {
      const made = await writer.recordsOf(source.event);
      add(eventsTopic, source, made.event);
      for (const { topic, record } of made.states) add(topic, source, record);
    } catch (error) {
      if (!isOfTheEvent(error)) throw error;
      poison.push(poisonOf(group, source.event, error));
    }
  }
  return { events, records, poison };
}

function isOfTheEvent(error: unknown): boolean {
  // Failures of registry and brokers are AppErrors; any other error was caused by the event's own values and would occur again.
  if (!isAppError(error)) return true;
  const code = errorCode(error);
  return code === 'not_representable' || code === 'packed_samples_unreadable' || code === 'series_unknown';
}
