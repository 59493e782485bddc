import { headerText, type IncomingHeaders, type OutgoingRecord } from './event-record.ts';
import type { topicNames } from './topics.ts';

/** Key of marker records; it cannot collide with a summary id or a connection key. */
export const markerKey = 'pulsewire:marker';

/** A record that changes no state: a tombstone under its own key, of which compaction keeps one for a day. */
export function markerRecord(partition: number, reason: 'segment' | 'fence'): OutgoingRecord {
  return { partition, key: markerKey, value: null, headers: { marker: reason, written_at: String(Date.now()) } };
}

/** Announces a generation to the readers of a shard, with the header names of event records; it is not an event. */
export function generationMarker(
  partition: number,
  begun: { readonly installationId: string; readonly shard: number; readonly generation: number; readonly endsBefore: string },
): OutgoingRecord {
  return {
    partition,
    key: markerKey,
    value: null,
    headers: {
      marker: 'generation',
      ce_installation: begun.installationId,
      ce_generation: String(begun.generation),
      ce_shard: String(begun.shard),
      ce_generationends: begun.endsBefore,
      written_at: String(Date.now()),
    },
  };
}

/** Whether a record is a marker, which dispatchers skip: they learn of generations from Postgres. */
export function isMarker({ headers, value }: { readonly headers: IncomingHeaders; readonly value: Buffer | null }): boolean {
  return value === null && headerText(headers, 'marker') !== null;
}

/**
 * One marker for each partition of the compacted topics. A broker closes a segment only when something is appended, and never compacts
 * the open one: without markers an erased value would stay in a quiet partition for as long as the partition is quiet.
 */
export function segmentMarkers(
  names: ReturnType<typeof topicNames>,
  partitions: number,
): readonly { readonly topic: string; readonly records: readonly OutgoingRecord[] }[] {
  const records = Array.from({ length: partitions }, (_, partition) => markerRecord(partition, 'segment'));
  return [names.summaries, names.connections].map((topic) => ({ topic, records }));
}
