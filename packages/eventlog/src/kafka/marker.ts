import type { OutgoingRecord } from './event-record.ts';
import type { topicNames } from './topics.ts';

/** Key of records that say nothing of anybody; no summary id and no connection looks like it. */
export const markerKey = 'pulsewire:marker';

/** A record that changes no state: a tombstone under a key of its own, of which compaction keeps one, for a day. */
export function markerRecord(partition: number, reason: 'segment' | 'fence'): OutgoingRecord {
  return { partition, key: markerKey, value: null, headers: { marker: reason, written_at: String(Date.now()) } };
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
