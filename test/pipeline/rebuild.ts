import { isAppError, silentLogger, sleep } from '@pulsewire/kernel';
import { renderDate, renderDateTime } from '@pulsewire/contract';
import {
  connectionOf,
  createGuardedConsumer,
  createKafkaClient,
  createReader,
  createRegistry,
  headerText,
  headOf,
  unwrapAvro,
  type IncomingHeaders,
  type KafkaConfig,
  type RecordReader,
} from '@pulsewire/kafka';

/** A value with the sequence of its event. */
interface Versioned<T> {
  readonly sequence: number;
  readonly value: T;
}

type Fields = Readonly<Record<string, unknown>>;

/** The place of an event in the log. */
interface Place {
  readonly shard: number;
  readonly sequence: number;
}

/** The state of a key; a null value: removed by the event at this position. */
type Entry = Versioned<Fields | null> & Place & { readonly userId: string };

const generationOf = (sequence: number) => Math.floor(sequence / 2 ** 36) + 1;

/**
 * A minimal data pipeline: its only inputs are Kafka and the registry. It keeps, for each summary, sample and connection, the state of
 * the event with the highest sequence, removals included: repeats and late arrivals change nothing. Events that a lost primary had
 * published are reverted as soon as any record of the shard, an event or a marker, states where the generation ended.
 */
export class Rebuild {
  readonly #summaries = new Map<string, Entry>();
  readonly #samples = new Map<string, Entry>();
  readonly #connections = new Map<string, Entry>();
  readonly #users = new Map<string, Versioned<'live' | 'deleted' | 'erased'> & Place>();
  /** Where generations ended, by shard and generation. */
  readonly #ends = new Map<string, number>();
  repeats = 0;
  /** Events that were seen for the first time after a later one of their shard. */
  disorder = 0;
  readonly #seen = new Set<string>();
  readonly #highest = new Map<number, number>();

  /** Different events seen. */
  get events(): number {
    return this.#seen.size;
  }

  hasSeen(eventId: string): boolean {
    return this.#seen.has(eventId);
  }

  /** The values of users who are not deleted. */
  get summaries(): ReadonlyMap<string, Versioned<Fields>> {
    return this.#present(this.#summaries);
  }

  get samples(): ReadonlyMap<string, Versioned<Fields>> {
    return this.#present(this.#samples);
  }

  get connections(): ReadonlyMap<string, Versioned<Fields>> {
    return this.#present(this.#connections);
  }

  /** Number of values kept of a user, deleted or not. */
  keptOf(userId: string): number {
    const all = [...this.#summaries.values(), ...this.#samples.values(), ...this.#connections.values()];
    return all.filter((entry) => entry.userId === userId && entry.value !== null).length;
  }

  /** Records the generations that have ended according to this shard's events or markers. */
  learn(headers: IncomingHeaders): void {
    const [shard, ends] = [headerText(headers, 'ce_shard'), headerText(headers, 'ce_generationends')];
    if (shard === null || ends === null || ends === '') return;
    let isNew = false;
    for (const [generation = '', end] of ends.split(' ').map((one) => one.split('='))) {
      const key = `${shard}/${generation}`;
      isNew ||= !this.#ends.has(key);
      this.#ends.set(key, Number(end));
    }
    if (!isNew) return;
    for (const map of [this.#summaries, this.#samples, this.#connections, this.#users])
      for (const [key, place] of map) if (this.#isLost(place)) map.delete(key);
  }

  #isLost({ shard, sequence }: Place): boolean {
    return sequence >= (this.#ends.get(`${shard}/${generationOf(sequence)}`) ?? Number.POSITIVE_INFINITY);
  }

  /** A tombstone of a compacted topic; its headers state when the key ended. */
  end(headers: IncomingHeaders, key: string): void {
    const head = headOf(headers)?.head;
    if (!head || head.userId === null) return;
    const entry = { shard: head.shard, sequence: head.offset, userId: head.userId, value: null };
    if (this.#isLost(entry)) return;
    keepNewest(key.includes(':') ? this.#connections : this.#summaries, key, entry);
  }

  apply(headers: IncomingHeaders, value: Fields): void {
    const head = headOf(headers)?.head;
    if (!head) return;
    if (this.#seen.has(head.eventId)) this.repeats += 1;
    else if (head.offset < (this.#highest.get(head.shard) ?? 0)) this.disorder += 1;
    this.#highest.set(head.shard, Math.max(head.offset, this.#highest.get(head.shard) ?? 0));
    this.#seen.add(head.eventId);
    const place = { shard: head.shard, sequence: head.offset };
    if (head.userId !== null && !this.#isLost(place)) this.#applyOfUser(head.eventType, head.userId, place, value);
  }

  #applyOfUser(eventType: string, userId: string, place: Place, value: Fields): void {
    const entry = (one: Fields | null): Entry => ({ ...place, userId, value: one });
    switch (eventType) {
      case 'user.deleted':
        return keepNewest(this.#users, userId, { ...place, value: 'deleted' });
      case 'user.undeleted':
        return keepNewest(this.#users, userId, { ...place, value: 'live' });
      case 'user.erased':
        keepNewest(this.#users, userId, { ...place, value: 'erased' });
        for (const map of [this.#summaries, this.#samples, this.#connections])
          for (const [key, known] of map) if (known.userId === userId) keepNewest(map, key, entry(null));
        return;
      case 'data.summaries.removed':
        for (const id of value['ids'] as readonly string[]) keepNewest(this.#summaries, id, entry(null));
        return;
      case 'data.samples.removed': {
        const { resource, type, provider, source_type: sourceType } = value;
        for (const timestamp of value['timestamps'] as readonly number[])
          keepNewest(this.#samples, [userId, resource, type ?? '', provider, sourceType, timestamp].join('|'), entry(null));
        return;
      }
      case 'provider.connection.created':
      case 'provider.connection.error':
      case 'provider.connection.removed': {
        const slug = typeof value['provider'] === 'string' ? value['provider'] : (value['provider'] as Fields)['slug'];
        return keepNewest(this.#connections, `${userId}:${String(slug)}`, entry(eventType.endsWith('removed') ? null : value));
      }
      default:
        if (Array.isArray(value['samples'])) return this.#applySamples(eventType.split('.')[2] ?? '', value, entry);
        if (typeof value['id'] === 'string') keepNewest(this.#summaries, value['id'], entry(value));
    }
  }

  #applySamples(resource: string, batch: Fields, entry: (one: Fields) => Entry): void {
    const source = batch['source'] as Fields;
    for (const sample of batch['samples'] as readonly Fields[]) {
      const key = [batch['user_id'], resource, batch['type'] ?? '', source['provider'], source['type'], sample['timestamp']].join('|');
      keepNewest(this.#samples, key, entry(sample));
    }
  }

  #present(map: ReadonlyMap<string, Entry>): ReadonlyMap<string, Versioned<Fields>> {
    const present = new Map<string, Versioned<Fields>>();
    for (const [key, { sequence, userId, value }] of map) {
      if (value !== null && (this.#users.get(userId)?.value ?? 'live') === 'live') present.set(key, { sequence, value });
    }
    return present;
  }
}

function keepNewest<V extends Versioned<unknown>>(into: Map<string, V>, key: string, entry: V): void {
  const known = into.get(key);
  if (known === undefined || entry.sequence >= known.sequence) into.set(key, entry);
}

/** The schema with a number, as soon as the registry responds. */
async function found(registry: ReturnType<typeof createRegistry>, schemaId: number) {
  for (;;) {
    try {
      return await registry.schemaOf(schemaId);
    } catch (error) {
      if (!isAppError(error) || !error.retryable) throw error;
      await sleep(200);
    }
  }
}

/** Reads a topic into a rebuild until it is stopped. */
export async function followTopic(config: KafkaConfig, topic: string, groupId: string, into: Rebuild): Promise<{ stop(): Promise<void> }> {
  const client = createKafkaClient(await connectionOf(config), { logger: silentLogger });
  const registry = createRegistry(config.schemaRegistryUrl ?? '');
  const readers = new Map<number, RecordReader>();
  let work: Promise<void> = Promise.resolve();
  const readerOf = async (schemaId: number) => {
    const known = readers.get(schemaId);
    if (known) return known;
    const schema = await found(registry, schemaId);
    const made = createReader(schema);
    readers.set(schemaId, made);
    return made;
  };
  const consumer = createGuardedConsumer(client, {
    groupId,
    topic,
    onAssigned() {},
    onRevoked() {},
    capacity: () => true,
    onBatch(_partition, messages) {
      const kept = messages.map(({ headers, key, value }) => ({
        headers,
        key: String(key),
        value: value === null ? null : Buffer.from(value),
      }));
      work = work.then(async () => {
        for (const { headers, key, value } of kept) {
          into.learn(headers);
          if (value === null) into.end(headers, key);
          const framed = value === null ? null : unwrapAvro(value);
          if (framed === null) continue;
          const reader = await readerOf(framed.schemaId);
          into.apply(headers, reader.toValue(framed.avro) as Fields);
        }
      });
    },
  });
  return {
    async stop() {
      await consumer.stop();
      await work;
      await client.close();
    },
  };
}

/** The typed summary as the API would show it, for the fields that the test writes. */
export function shownActivity(value: Fields): Fields {
  return {
    id: value['id'],
    user_id: value['user_id'],
    calendar_date: renderDate((value['calendar_date'] as number) * 86_400_000),
    steps: value['steps'],
    distance: value['distance'],
    updated_at: renderDateTime(value['updated_at'] as number),
  };
}
