import type { LogEvent } from '@pulsewire/eventlog';
import { notRepresentable } from '../avro/encode-value.ts';
import { findRecordType, recordTypes } from '../avro/record-types.ts';
import { headersOf, type OutgoingRecord } from './event-record.ts';
import type { Registry } from './schema-registry.ts';
import { stateChangesOf, stateTopicOf } from './state-topics.ts';
import { partitionOf, partitionsOfUser, topicNames } from './topics.ts';
import { wrapAvro } from './wire-format.ts';

export interface EventWriter {
  /**
   * Requests the ids of all schemas now rather than at the first event. Throws AppError `schema_not_registered` or `registry_unavailable`.
   */
  warmUp(): Promise<void>;
  /**
   * The records of an event: one on the event topic, and one for each key of a compacted topic that it sets or ends. Throws AppError
   * `not_representable`.
   */
  recordsOf(event: LogEvent): Promise<{ readonly event: OutgoingRecord; readonly states: readonly StateRecord[] }>;
}

export interface StateRecord {
  readonly topic: string;
  readonly record: OutgoingRecord;
}

/** Brokers refuse more than 1 MiB; every event of the contract is far smaller. */
const valueBytesMax = 900_000;

/** Creates the records of events. Requests each schema's id from the registry once; registers nothing. */
export function createEventWriter(options: {
  readonly registry: Pick<Registry, 'idOf' | 'schemaAddress'>;
  readonly topicPrefix: string;
  readonly partitions: number;
}): EventWriter {
  const { registry, partitions } = options;
  const names = topicNames(options.topicPrefix);
  return {
    async warmUp() {
      for (const recordType of recordTypes) {
        await registry.idOf(names.events, recordType);
        const topic = stateTopicOf(recordType, names);
        if (topic !== null) await registry.idOf(topic, recordType);
      }
    },
    async recordsOf(event) {
      const recordType = findRecordType(event.eventType);
      if (recordType === undefined) throw notRepresentable('no_schema', '');
      const { bytes, isExact, value } = recordType.encode(event.body);
      if (bytes.length > valueBytesMax) throw notRepresentable('too_large', '');
      const partition = partitionOf(event.shard, partitions);
      const headers = headersOf(event, isExact);
      const schemaId = await registry.idOf(names.events, recordType);
      const described = { ...headers, ce_dataschema: registry.schemaAddress(schemaId) };
      const record = { partition, key: event.userId ?? event.teamId, value: wrapAvro(schemaId, bytes), headers: described };
      const states: StateRecord[] = [];
      for (const { topic, key, effect } of stateChangesOf(event, value, names)) {
        // A tombstone's headers contain the user of the ended key, the time, and the sequence of the event.
        if (effect === 'set') {
          const stateId = await registry.idOf(topic, recordType);
          const stateHeaders = { ...headers, ce_dataschema: registry.schemaAddress(stateId) };
          states.push({ topic, record: { partition, key, value: wrapAvro(stateId, bytes), headers: stateHeaders } });
          continue;
        }
        // A key may still have a value in the partition that it had when the log had fewer shards.
        for (const one of new Set([partition, ...(event.userId === null ? [] : partitionsOfUser(event.userId, partitions))]))
          states.push({ topic, record: { partition: one, key, value: null, headers } });
      }
      return { event: record, states };
    },
  };
}
