import type { Database } from '@pulsewire/database';
import { firstOffsetOf, GenerationEnds, generationOf, readIdentity, readShardCount, shardsOfUser } from '@pulsewire/eventlog';
import { isAppError } from '@pulsewire/kernel';
import { addNewestOffsets } from './newest-state-offsets.ts';
import { createReader, type RecordReader } from '../avro/read-record.ts';
import { rangesSince, readRanges } from '../client/consumer/read-ranges.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import { headOf, isNewerFormat, type EventHead, type IncomingHeaders } from '../records/event-record.ts';
import type { Registry } from '../records/schema-registry.ts';
import { isSealed } from '../records/seal.ts';
import { stateChangesOf } from '../records/state-topics.ts';
import { topicNames } from '../records/topics.ts';
import { unwrapAvro } from '../records/wire-format.ts';

/** Upper bound of the event topic's retention; older records can no longer be read. */
const keptDays = 8;
/** The clocks of the relays and of the database may differ by this much. */
const clocksDifferMs = 600_000;

/**
 * The time from which the event topic may contain records of lost events, ms since the epoch; null when no loss of history is within its
 * retention. Every lost event was committed after the last remaining event of its generation.
 */
async function lostSince({ sql }: Database): Promise<number | null> {
  const [row] = await sql<{ losses: number; since: string | null }[]>`
    SELECT count(*)::int AS losses, min(coalesce(last_at, 0))::text AS since FROM (
      SELECT g.generation, max(e.written_at) AS last_at
      FROM log_generations n
      JOIN log_generations g ON g.shard = n.shard AND g.generation = n.generation - 1
      LEFT JOIN LATERAL (
        SELECT written_at FROM log_events e WHERE e.shard = g.shard AND e."offset" < g.ends_at ORDER BY e."offset" DESC LIMIT 1) e ON true
      WHERE n.reason <> 'reshard' AND n.started_at > now() - make_interval(days => ${keptDays})
      GROUP BY g.generation) losses`;
  if (row === undefined || row.losses === 0) return null;
  return Math.max(0, Number(row.since ?? 0) - clocksDifferMs);
}

/** A key of a compacted topic whose last record may be that of a lost event. */
export interface LostKey {
  readonly kind: 'summary' | 'connection';
  readonly teamId: string;
  readonly userId: string;
  /** As the lost event named the user. */
  readonly clientUserId: string | null;
  /** Id of the summary, or slug of the provider. */
  readonly id: string;
}

export interface LostTally {
  /** Records of lost events that were found. */
  readonly records: number;
  /** Of these, records that were not written by this installation, are unreadable or of a newer version. */
  readonly refused: number;
  /** Keys that they set or ended. */
  readonly keys: number;
  /** Of these, keys with an event in a later generation: their state will be published anyway. */
  readonly superseded: number;
}

interface Found {
  readonly head: EventHead;
  readonly headers: IncomingHeaders;
  readonly value: Buffer;
}

interface LostChange {
  readonly lost: LostKey;
  readonly name: string;
  readonly generation: number;
}

const keysMax = 5000;

/**
 * Reads from the event topic which keys of the compacted topics were set or ended by events that are lost, and returns those that no later
 * event has set since, a few thousand at a time. It reads from the time of the last remaining event, not from the beginning of the topic. A
 * repeated run finds the remaining keys. Throws AppError `kafka_unavailable` or `registry_unavailable`.
 */
export async function readLostKeys(
  options: {
    readonly database: Database;
    readonly client: KafkaClient;
    readonly registry: Pick<Registry, 'schemaOf'>;
    readonly topicPrefix: string;
  },
  onKeys: (keys: readonly LostKey[]) => Promise<void>,
): Promise<LostTally> {
  const { database, client, registry, topicPrefix } = options;
  const names = topicNames(topicPrefix);
  const tally = { records: 0, refused: 0, keys: 0, superseded: 0 };
  const sinceMs = await lostSince(database);
  if (sinceMs === null) return tally;
  const identity = await readIdentity(database);
  const ends = new GenerationEnds();
  await ends.refresh(database);
  const readers = new Map<number, RecordReader>();
  let changes = new Map<string, LostChange>();

  async function flush(): Promise<void> {
    const all = [...changes.values()];
    changes = new Map();
    const newest = new Map<string, number>();
    for (const [shard, users] of usersByShard(all, await readShardCount(database))) {
      const from = firstOffsetOf(1 + Math.min(...all.map(({ generation }) => generation)));
      await addNewestOffsets(database, { shard, users: [...users], from, names }, newest);
    }
    const open = all.filter(({ name, generation }) => (newest.get(name) ?? -1) < firstOffsetOf(generation + 1));
    tally.keys += all.length;
    tally.superseded += all.length - open.length;
    if (open.length > 0) await onKeys(open.map(({ lost }) => lost));
  }

  async function readerOf(schemaId: number): Promise<RecordReader> {
    const reader = readers.get(schemaId) ?? createReader(await registry.schemaOf(schemaId));
    readers.set(schemaId, reader);
    return reader;
  }

  async function note({ head, headers, value }: Found): Promise<void> {
    tally.records += 1;
    const framed = !isNewerFormat(headers) && isSealed(identity, headers, value) ? unwrapAvro(value) : null;
    if (framed === null || head.userId === null) return void (tally.refused += 1);
    const { teamId, userId, clientUserId } = head;
    const data = await readerOf(framed.schemaId)
      .then((reader) => reader.toValue(framed.avro))
      .catch((error: unknown) => {
        if (isAppError(error) && error.retryable) throw error;
        tally.refused += 1;
        return null;
      });
    for (const { topic, key } of stateChangesOf(head, data, names)) {
      const name = `${topic}\n${key}`;
      const kind = topic === names.summaries ? 'summary' : 'connection';
      const lost: LostKey = { kind, teamId, userId, clientUserId, id: kind === 'summary' ? key : key.slice(userId.length + 1) };
      const generation = Math.max(generationOf(head.offset), changes.get(name)?.generation ?? 0);
      changes.set(name, { lost, name, generation });
    }
    if (changes.size >= keysMax) await flush();
  }

  await readRanges<Found>(client, {
    topic: names.events,
    groupPrefix: `${topicPrefix}lost-history.`,
    ranges: await rangesSince(client, names.events, sinceMs),
    pick({ headers, value }) {
      const head = headOf(headers)?.head;
      if (head === undefined || value === null || !ends.isLost(head.shard, head.offset)) return null;
      return { head, headers: copied(headers), value: Buffer.from(value) };
    },
    async work(found) {
      for (const one of found) await note(one);
    },
  });
  await flush();
  return tally;
}

function usersByShard(changes: readonly LostChange[], shardCount: number): ReadonlyMap<number, ReadonlySet<string>> {
  const byShard = new Map<number, Set<string>>();
  for (const { lost } of changes)
    for (const shard of shardsOfUser(lost.userId, shardCount)) byShard.set(shard, (byShard.get(shard) ?? new Set()).add(lost.userId));
  return byShard;
}

/** The buffers are views into the broker's response. */
function copied(headers: IncomingHeaders): IncomingHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString() : value]));
}
