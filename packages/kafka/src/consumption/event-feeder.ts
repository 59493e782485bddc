import type { Logger, Metrics } from '@pulsewire/kernel';
import { plainArray, type Database } from '@pulsewire/database';
import {
  type GenerationEnds,
  generationOf,
  type LogEvent,
  type LogIdentity,
  type LogSink,
  newestPosition,
  reachedPoints,
  readFrom,
} from '@pulsewire/eventlog';
import type { ShardLeases } from '@pulsewire/eventlog/group';
import { isNewerFormat } from '../records/event-record.ts';
import { isMarker } from '../records/marker.ts';
import { setAside } from '../records/poison.ts';
import type { ReaderCache } from '../records/reader-cache.ts';
import { relayGroup } from '../records/relay-group.ts';
import { isSealed } from '../records/seal.ts';
import type { IncomingRecord } from './consumer-port.ts';
import type { PartitionBuffer } from './partition-buffer.ts';
import { addressed, decodeRecords, type AddressedRecord } from './record-decoder.ts';

export interface EventFeederOptions {
  readonly database: Database;
  readonly readers: ReaderCache;
  readonly leases: ShardLeases;
  readonly sink: LogSink;
  readonly group: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly identity: LogIdentity;
  readonly ends: GenerationEnds;
  /** Whether a shard that we do not own yet will be ours; its records wait. */
  isAwaited(shard: number): boolean;
}

const chunkMax = 500;

interface Cut {
  /** Events to hand over. */
  readonly run: readonly AddressedRecord[];
  /** Records that are handed over, were handed over before, or belong to other members. */
  readonly seen: readonly AddressedRecord[];
  readonly rest: readonly IncomingRecord[];
  /** The first record when events before it are missing. */
  readonly gap: AddressedRecord | null;
  /** The first remaining record must wait. */
  readonly isBlocked: boolean;
}

interface Refused {
  readonly foreign: readonly IncomingRecord[];
  readonly newer: readonly IncomingRecord[];
  readonly lost: readonly AddressedRecord[];
}

/** Hands records over as events: each shard in sequence order, without repeats, with missing events read from Postgres. */
export class EventFeeder {
  readonly #options: EventFeederOptions;
  #lastSweep = new Map<number, { next: number; published: number }>();

  constructor(options: EventFeederOptions) {
    this.#options = options;
  }

  /**
   * Hands over a chunk of a partition's records; false when the sink has no capacity. `isCurrent` turns false when the partition was assigned
   * anew.
   */
  async feed(buffer: PartitionBuffer, isCurrent: () => boolean): Promise<boolean> {
    const { database, leases, readers, sink } = this.#options;
    const { cursors } = leases;
    const capacity = Math.min(chunkMax, sink.capacity());
    if (capacity <= 0) return false;
    const taken = buffer.take(capacity);
    const { run, seen, rest, gap, isBlocked } = this.#cut(taken);
    const epochs = leases.epochsOf(run.map(({ shard }) => shard));
    buffer.putBack(rest);
    buffer.isBlocked = isBlocked && seen.length === 0;
    if (buffer.isBlocked) return false;
    try {
      if (gap !== null) {
        await this.#fill(gap.shard, gap.offset, gap.day, capacity);
        return true;
      }
      const events = run.length === 0 ? [] : await decodeRecords(database, readers, run);
      await this.#setUnreadableAside(run, events);
      if (events.length > 0) await sink.prepare?.();
      if (!isCurrent()) return true;
      leases.handOver(
        events.filter((event) => event !== null),
        epochs,
      );
      for (const [index, { shard, offset, day }] of run.entries())
        if (events[index] === null && cursors.epochOf(shard) === epochs.get(shard)) cursors.skipTo(shard, { offset: offset + 1, day });
      for (const { record, shard, offset } of seen) buffer.handled(record.offset, shard, offset);
      return true;
    } catch (error) {
      if (isCurrent()) buffer.putBack(taken.slice(0, taken.length - rest.length));
      throw error;
    }
  }

  /**
   * Events that were published but do not arrive: the last events of a shard are poison, or the topic lost them. When this is seen twice,
   * they are read from Postgres.
   */
  async sweep(isWaiting: (shard: number) => boolean): Promise<void> {
    const { database, leases, sink } = this.#options;
    const { cursors } = leases;
    const shards = cursors.readPoints().map(({ shard }) => shard);
    if (shards.length === 0) return;
    const { sql } = database;
    const rows = await sql<{ shard: number; offset: string; day: string }[]>`
      SELECT p.shard, p."offset", p.day::text
      FROM unnest(${plainArray(shards)}::smallint[]) AS v(shard) CROSS JOIN LATERAL ${newestPosition(sql, relayGroup, 'v.shard')} p`;
    const sweep = new Map<number, { next: number; published: number }>();
    for (const { shard, offset, day } of rows) {
      const next = cursors.nextOffsetOf(shard);
      if (next === undefined) continue;
      const before = this.#lastSweep.get(shard);
      const capacity = Math.min(chunkMax, sink.capacity());
      if (before?.next === next && before.published > next && !isWaiting(shard) && capacity > 0)
        await this.#fill(shard, before.published, day, capacity);
      sweep.set(shard, { next, published: Number(offset) });
    }
    this.#lastSweep = sweep;
  }

  /** The records up to the first one that is ahead of its sequence. */
  #cut(records: readonly IncomingRecord[]): Cut {
    const { ends, identity, isAwaited, leases } = this.#options;
    const { cursors } = leases;
    const expected = new Map(cursors.readPoints().map(({ shard, offset }) => [shard, offset]));
    const run: AddressedRecord[] = [];
    const seen: AddressedRecord[] = [];
    const foreign: IncomingRecord[] = [];
    const newer: IncomingRecord[] = [];
    const lost: AddressedRecord[] = [];
    const until = (index: number, end: { gap?: AddressedRecord; isBlocked?: boolean } = {}): Cut => {
      this.#tellRefused({ foreign, newer, lost });
      return { run, seen, rest: records.slice(index), gap: end.gap ?? null, isBlocked: end.isBlocked ?? false };
    };
    for (const [index, record] of records.entries()) {
      if (isNewerFormat(record.headers)) {
        newer.push(record);
        continue;
      }
      const one = addressed(record);
      if (one === null) {
        if (!isMarker(record)) foreign.push(record);
        continue;
      }
      const next = expected.get(one.shard);
      const isComing = cursors.epochOf(one.shard) === undefined && isAwaited(one.shard);
      // Not ours, or already handed over.
      if (next === undefined ? !isComing : one.offset < next) {
        seen.push(one);
        continue;
      }
      if (!isSealed(identity, record.headers, record.value)) {
        foreign.push(record);
        continue;
      }
      if (generationOf(one.offset) > ends.generation) {
        leases.renewSoon();
        return until(index, { isBlocked: true });
      }
      if (next === undefined) return until(index, { isBlocked: true });
      if (ends.isLost(one.shard, one.offset)) {
        lost.push(one);
        seen.push(one);
        continue;
      }
      if (one.offset > next) return until(index, seen.length === 0 ? { gap: one } : {});
      expected.set(one.shard, next + 1);
      run.push(one);
      seen.push(one);
    }
    return until(records.length);
  }

  /**
   * `foreign`: not written by this installation (another writer, another installation, or before records were sealed). `newer`: in a form of
   * a newer version; as those of foreign records, its events are read from Postgres. `lost`: published by a primary before it was lost with
   * the events. Many are logged as one line, because a topic may contain many of them.
   */
  #tellRefused(refused: Refused): void {
    const { foreign, newer, lost } = refused;
    const { group, logger, metrics } = this.#options;
    const [firstForeign] = foreign;
    if (firstForeign !== undefined) {
      metrics.count('log_foreign_records_total', { group }, foreign.length);
      logger.warn({ group, records: foreign.length, firstOffset: String(firstForeign.offset) }, 'log.foreign_records');
    }
    const [firstNewer] = newer;
    if (firstNewer !== undefined) {
      metrics.count('log_newer_records_total', { group }, newer.length);
      logger.warn({ group, records: newer.length, firstOffset: String(firstNewer.offset) }, 'log.newer_records');
    }
    const [firstLost] = lost;
    if (firstLost === undefined) return;
    const { shard, offset } = firstLost;
    metrics.count('log_lost_records_total', { group }, lost.length);
    logger.warn({ group, records: lost.length, shard, sequence: offset, generation: generationOf(offset) }, 'log.records_of_lost_history');
  }

  /** Hands over the events before `upTo` from Postgres, at most `capacity`; events that are missing there too are skipped. */
  async #fill(shard: number, upTo: number, day: string, capacity: number): Promise<void> {
    const { database, group, leases, logger, metrics, sink } = this.#options;
    const { cursors } = leases;
    const point = cursors.readPoints().find((candidate) => candidate.shard === shard);
    if (point === undefined) return;
    const epochs = leases.epochsOf([shard]);
    if (generationOf(upTo) > generationOf(point.offset)) {
      const [reached] = await reachedPoints(database, [point]);
      // No events are missing: the generation ends there.
      if (reached !== undefined && reached.offset > point.offset) {
        if (cursors.nextOffsetOf(shard) === point.offset) cursors.passTo(reached);
        return;
      }
    }
    const events = (await readFrom(database, [point], Math.min(capacity, upTo - point.offset))).filter(({ offset }) => offset < upTo);
    metrics.count('log_gap_events_total', { group }, events.length);
    if (events.length > 0) await sink.prepare?.();
    if (cursors.nextOffsetOf(shard) !== point.offset || cursors.epochOf(shard) !== epochs.get(shard)) return;
    leases.handOver(events, epochs);
    if (events.length > 0) return;
    logger.error({ shard, from: point.offset, upTo }, 'log.events_missing');
    metrics.count(
      'log_missing_events_total',
      { group },
      Math.max(1, generationOf(upTo) > generationOf(point.offset) ? 0 : upTo - point.offset),
    );
    cursors.skipTo(shard, { offset: upTo, day });
  }

  async #setUnreadableAside(run: readonly AddressedRecord[], events: readonly (LogEvent | null)[]): Promise<void> {
    const { database, group, logger, metrics } = this.#options;
    const unreadable = run.filter((_, index) => events[index] === null);
    if (unreadable.length === 0) return;
    metrics.count('log_poison_total', { consumer: group }, unreadable.length);
    for (const { shard, offset } of unreadable.slice(0, 10)) logger.error({ shard, sequence: offset }, 'log.record_set_aside');
    await setAside(
      database,
      unreadable.map(({ shard, offset, day }) => ({
        consumer: group,
        shard,
        offset,
        day,
        eventId: null,
        eventType: null,
        reason: 'unreadable',
        detail: '',
      })),
    );
  }
}
