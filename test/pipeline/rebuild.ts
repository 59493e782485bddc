import { isAppError, silentLogger, sleep } from '@pulsewire/kernel';
import { renderDate, renderDateTime } from '@pulsewire/contract';
import {
  connectionOf,
  createGuardedConsumer,
  createKafkaClient,
  createReader,
  createRegistry,
  headOf,
  unwrapAvro,
  type IncomingHeaders,
  type KafkaConfig,
  type RecordReader,
} from '@pulsewire/eventlog/kafka';

/** A value with the sequence of the event that brought it. */
interface Versioned<T> {
  readonly sequence: number;
  readonly value: T;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A data pipeline in small: everything that it knows comes from Kafka and the registry. It keeps, for each summary and for each
 * sample, the value with the highest sequence. That is all it takes: repeats and late arrivals change nothing.
 */
export class Rebuild {
  readonly summaries = new Map<string, Versioned<Fields>>();
  readonly samples = new Map<string, Versioned<Fields>>();
  repeats = 0;
  /** Events that were seen for the first time after a later one of their shard. */
  disorder = 0;
  readonly #seen = new Set<string>();
  readonly #highest = new Map<number, number>();

  /** Different events seen. */
  get events(): number {
    return this.#seen.size;
  }

  apply(headers: IncomingHeaders, recordName: string, value: Fields): void {
    const head = headOf(headers)?.head;
    if (!head) return;
    if (this.#seen.has(head.eventId)) this.repeats += 1;
    else if (head.offset < (this.#highest.get(head.shard) ?? 0)) this.disorder += 1;
    this.#highest.set(head.shard, Math.max(head.offset, this.#highest.get(head.shard) ?? 0));
    this.#seen.add(head.eventId);
    if (Array.isArray(value['samples'])) return this.#applySamples(recordName, value, head.offset);
    if (typeof value['id'] === 'string') keepNewest(this.summaries, value['id'], head.offset, value);
  }

  #applySamples(recordName: string, batch: Fields, sequence: number): void {
    const source = batch['source'] as Fields;
    for (const sample of batch['samples'] as readonly Fields[]) {
      const key = [batch['user_id'], recordName, batch['type'] ?? '', source['provider'], source['type'], sample['timestamp']].join('|');
      keepNewest(this.samples, key, sequence, sample);
    }
  }
}

function keepNewest<T>(into: Map<string, Versioned<T>>, key: string, sequence: number, value: T): void {
  const known = into.get(key);
  if (known === undefined || sequence >= known.sequence) into.set(key, { sequence, value });
}

/** The schema with a number, as soon as the registry answers. */
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

/** Reads a topic into a rebuild until it is told to stop. */
export async function followTopic(config: KafkaConfig, topic: string, groupId: string, into: Rebuild): Promise<{ stop(): Promise<void> }> {
  const client = createKafkaClient(await connectionOf(config), { logger: silentLogger });
  const registry = createRegistry(config.schemaRegistryUrl ?? '');
  const readers = new Map<number, { name: string; reader: RecordReader }>();
  let work: Promise<void> = Promise.resolve();
  const readerOf = async (schemaId: number) => {
    const known = readers.get(schemaId);
    if (known) return known;
    const schema = await found(registry, schemaId);
    const made = { name: schema.name ?? '', reader: createReader(schema) };
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
      const kept = messages.map(({ headers, value }) => ({ headers, value: value === null ? null : Buffer.from(value) }));
      work = work.then(async () => {
        for (const { headers, value } of kept) {
          const framed = value === null ? null : unwrapAvro(value);
          if (framed === null) continue;
          const { name, reader } = await readerOf(framed.schemaId);
          into.apply(headers, name, reader.toValue(framed.avro) as Fields);
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
