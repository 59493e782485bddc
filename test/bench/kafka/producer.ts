import { silentLogger } from '@pulsewire/kernel';
import {
  createGuardedConsumer,
  createKafkaClient,
  createSafeProducer,
  createTopicsAndWait,
  withAdmin,
  type GuardedConsumer,
  type KafkaClient,
  type KafkaRecord,
} from '@pulsewire/kafka/client';
import { startKafkaCluster } from '../../support/kafka/cluster.ts';
import { median, perSecond, type Benchmark, type Line } from '../report.ts';

const partitions = 12;
const batchSize = 600;
const topic = 'bench.producer';

/** What our guards around kafkajs cost: the safe producer and the guarded consumer, compared with plain kafkajs and the same batches. */
export const kafkaProducerBenchmark: Benchmark = {
  name: 'kafka-producer',
  async run({ isQuick }) {
    const cluster = await startKafkaCluster({ count: 1 });
    const client = createKafkaClient({ brokers: cluster.addresses, clientId: 'bench' }, { logger: silentLogger });
    try {
      await withAdmin(client, 'a topic', (admin) =>
        createTopicsAndWait(admin, [{ topic, numPartitions: partitions, replicationFactor: 1 }]),
      );
      return await measure(client, isQuick ? 3 : 9, isQuick ? 50 : 100);
    } finally {
      await client.close();
      await cluster.close();
    }
  },
};

/** Rounds of both kinds alternate, so that load on the machine affects both. */
async function measure(client: KafkaClient, rounds: number, batches: number): Promise<Line[]> {
  const records = makeRecords();
  const messages = records.map(({ partition, key, value, headers }) => ({ partition, key, value, headers: { ...headers } }));
  const bare = client.producer({
    idempotent: true,
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
  await bare.api.connect();
  const safe = createSafeProducer(client);
  const sendBare = async () => void (await bare.api.send({ topic, acks: -1, messages }));
  const sendSafe = () => safe.send(topic, records);
  const figures = { bare: [] as number[], safe: [] as number[], overlapping: [] as number[] };
  await sendBare();
  await sendSafe();
  for (let round = 0; round < rounds; round++) {
    figures.bare.push(await timeOf(async () => repeat(batches, sendBare)));
    figures.safe.push(await timeOf(async () => repeat(batches, sendSafe)));
    figures.overlapping.push(await timeOf(async () => void (await Promise.all(Array.from({ length: batches }, sendSafe)))));
  }
  await bare.close();
  await safe.close();
  const sent = (batches * 3 * rounds + 2) * batchSize;
  const consumedBareMs = await consumeBare(client, sent);
  const consumedMs = await consumeGuarded(client, sent);
  const [bareMs, safeMs, overlappingMs] = [median(figures.bare), median(figures.safe), median(figures.overlapping)];
  const count = batches * batchSize;
  const against = `kafkajs ${perSecond(count, bareMs)}`;
  return [
    {
      what: `safe producer, 1 KB, ${batchSize} a call, one call after the other`,
      figure: perSecond(count, safeMs),
      against,
      ratio: bareMs / safeMs,
      aim: '≥ 0.95',
    },
    { what: 'safe producer, calls that overlap', figure: perSecond(count, overlappingMs), against, ratio: bareMs / overlappingMs },
    {
      what: 'guarded consumer, with its join',
      figure: perSecond(sent, consumedMs),
      against: `kafkajs ${perSecond(sent, consumedBareMs)}`,
      ratio: consumedBareMs / consumedMs,
      aim: '≥ 0.9',
    },
  ];
}

function makeRecords(): KafkaRecord[] {
  const value = Buffer.alloc(1_024, 'x');
  return Array.from({ length: batchSize }, (_, n) => ({
    partition: n % partitions,
    key: `user-${n}`,
    value,
    headers: { ce_id: `msg_${n}`, ce_type: 'daily.data.sleep.created' },
  }));
}

/** Milliseconds from the first call until all records are read. */
async function consumeBare(client: KafkaClient, count: number): Promise<number> {
  const consumer = client.consumer({ groupId: 'bench.bare', maxWaitTimeInMs: 300, sessionTimeout: 6_000, heartbeatInterval: 1_000 });
  let left = count;
  const ms = await timeOf(async () => {
    await consumer.api.connect();
    await consumer.api.subscribe({ topics: [topic], fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const eachBatch = async ({ batch }: { batch: { messages: readonly unknown[] } }) => {
        left -= batch.messages.length;
        if (left <= 0) resolve();
      };
      consumer.api.run({ autoCommit: false, eachBatch }).catch(reject);
    });
  });
  await consumer.close();
  return ms;
}

/** The same with the guard. */
async function consumeGuarded(client: KafkaClient, count: number): Promise<number> {
  let left = count;
  let consumer: GuardedConsumer | undefined;
  const ms = await timeOf(
    () =>
      new Promise<void>((resolve) => {
        const onBatch = (_partition: number, messages: readonly unknown[]) => {
          left -= messages.length;
          if (left <= 0) resolve();
        };
        consumer = createGuardedConsumer(client, {
          groupId: 'bench.guarded',
          topic,
          onAssigned() {},
          onRevoked() {},
          onBatch,
          capacity: () => true,
        });
      }),
  );
  await consumer?.stop();
  return ms;
}

async function repeat(count: number, work: () => Promise<void>): Promise<void> {
  for (let n = 0; n < count; n++) await work();
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
