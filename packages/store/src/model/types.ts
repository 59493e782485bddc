import type { CanonicalRecord, OffsetOrigin } from '@pulsewire/contract';
import type { EventOrigin } from '@pulsewire/eventlog';
import type { RawCipher } from './seal-raw.ts';

/** The owner of the records; every event includes it as of the time of the write. */
export interface RecordOwner {
  readonly teamId: string;
  readonly userId: string;
  readonly clientUserId: string;
}

/** Records of one response or push, which are written together. */
export interface RecordBatch {
  readonly owner: RecordOwner;
  /** From `drawVersion`, drawn when the response arrived: the higher one wins, whatever the order of writes. */
  readonly version: bigint;
  readonly origin: EventOrigin;
  readonly records: readonly CanonicalRecord[];
  /** Numeric id of the provider on the wire. */
  readonly sourceId: number;
  readonly traceId: string | null;
  /** The origin of the offsets of records that do not name it themselves. Absent: not recorded. */
  readonly offsetsFrom?: OffsetOrigin;
  /** The caller holds the user's lock already (`lockRecords`). */
  readonly isLocked?: boolean;
  /** Seals the raw forms of records. Absent: the team has raw data disabled, and none are stored. */
  readonly rawCipher?: RawCipher | undefined;
}

/** What a write changed. Records equal to the stored ones, or older than them, count as unchanged. */
export interface WriteOutcome {
  /** Samples that cannot be stored: without a finite value, or not at a whole millisecond. */
  readonly samplesRefused: number;
  /** Records that differ from what is stored and were received before it, or before it was removed: they are not stored. */
  readonly older: number;
  readonly samplesReceived: number;
  readonly samplesCreated: number;
  readonly samplesUpdated: number;
  readonly summariesReceived: number;
  readonly summariesCreated: number;
  readonly summariesUpdated: number;
  /** Workout streams that were new or differ. */
  readonly streamsWritten: number;
  /** Summaries and samples that the provider deleted and that existed. Separate events report them to pipelines. */
  readonly removed: number;
  readonly events: number;
}

/** How many records were received, and the result of writing them. */
export interface Counts {
  readonly received: number;
  readonly created: number;
  readonly updated: number;
  readonly older: number;
}
