import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import {
  createGuardedConsumer,
  createKafkaClient,
  createSafeProducer,
  type GuardedConsumer,
  type GuardedConsumerOptions,
} from '@pulsewire/kafka/client';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { Collector, range } from './support/collector.ts';

describeKafka('the guarded consumer', (kafka) => {
  const connection = { brokers: kafka.brokers.length > 0 ? kafka.brokers : ['none:1'], clientId: 'test' };
  const client = createKafkaClient(connection, { logger: silentLogger });
  const sessionTimeoutMs = Math.max(2_000, kafka.sessionTimeoutMinMs);
  const started: GuardedConsumer[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((consumer) => consumer.stop()));
  });
  afterAll(() => client.close());

  function consume(
    topic: string,
    groupId: string,
    collector: Collector,
    options: Partial<GuardedConsumerOptions> = {},
    from = client,
  ): GuardedConsumer {
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    const consumer = createGuardedConsumer(from, {
      groupId,
      topic,
      onAssigned,
      onRevoked,
      onBatch,
      capacity,
      sessionTimeoutMs,
      pollMs: 100,
      ...options,
    });
    started.push(consumer);
    return consumer;
  }

  async function write(topic: string, partitions: number, each: number): Promise<void> {
    const producer = createSafeProducer(client);
    const records = range(partitions * each).map((n) => ({
      partition: n % partitions,
      key: String(n),
      value: Buffer.from('v'),
      headers: {},
    }));
    await producer.send(topic, records);
    await producer.close();
  }

  it('delivers every record of every partition once and in order', async () => {
    const topic = await kafka.createTopic({ partitions: 4 });
    await write(topic, 4, 250);
    const collector = new Collector();
    consume(topic, kafka.uniqueName('group'), collector);
    await collector.received(1_000);
    for (const partition of range(4)) expect(collector.offsets(partition)).toEqual(range(250));
  });

  it('reads a partition only after its assignment was accepted, and retries a failed one', async () => {
    const topic = await kafka.createTopic({ partitions: 1 });
    await write(topic, 1, 5);
    const collector = new Collector();
    let claims = 0;
    collector.claim = async () => {
      claims++;
      expect(collector.messages).toEqual([]);
      // The consumer tries again after a pause, in which it must not read either.
      if (claims === 1) throw new Error('someone else still holds it');
    };
    consume(topic, kafka.uniqueName('group'), collector);
    await collector.received(5);
    expect(claims).toBe(2);
  });

  it('redelivers records after the handler threw, and stays in the group', async () => {
    const topic = await kafka.createTopic({ partitions: 1 });
    await write(topic, 1, 3);
    const collector = new Collector();
    const errors = [new TypeError('a'), new SyntaxError('b'), new Error('c')];
    collector.before = () => {
      const error = errors.shift();
      if (error) throw error;
    };
    const consumer = consume(topic, kafka.uniqueName('group'), collector);
    await collector.received(3);
    expect(collector.offsets(0)).toEqual([0, 1, 2]);
    expect(consumer.health()).toEqual({ isMember: true, rebuilds: 0, lastReason: null });
    expect(collector.history).toEqual(['assigned 0']);
  });

  it('pauses without capacity and resumes without a gap or a repeat', async () => {
    const topic = await kafka.createTopic({ partitions: 2 });
    const collector = new Collector();
    collector.before = () => {
      collector.hasRoom = false;
    };
    const consumer = consume(topic, kafka.uniqueName('group'), collector, { partitionBytesMax: 2_000 });
    await write(topic, 2, 500);
    while (collector.messages.length < 1_000) {
      const before = collector.messages.length;
      collector.hasRoom = true;
      consumer.resume([0, 1]);
      await collector.received(before + 1);
    }
    expect(collector.offsets(0)).toEqual(range(500));
    expect(collector.offsets(1)).toEqual(range(500));
  });

  it('resumes automatically when there is capacity again', async () => {
    const topic = await kafka.createTopic({ partitions: 1 });
    await write(topic, 1, 10);
    const collector = new Collector();
    collector.hasRoom = false;
    consume(topic, kafka.uniqueName('group'), collector);
    await collector.until(() => collector.owned.size === 1);
    const other = new Collector();
    consume(topic, kafka.uniqueName('group'), other);
    await other.received(10);
    expect(collector.messages).toEqual([]);
    collector.hasRoom = true;
    await collector.received(10);
    expect(collector.offsets(0)).toEqual(range(10));
  });

  it('starts at the committed offsets and reports them', async () => {
    const topic = await kafka.createTopic({ partitions: 2 });
    const groupId = kafka.uniqueName('group');
    await write(topic, 2, 10);
    const first = new Collector();
    const consumer = consume(topic, groupId, first);
    await first.received(20);
    await consumer.commit(new Map([[0, 4n]]));
    expect(await consumer.committed()).toEqual(new Map([[0, 4n]]));
    await consumer.stop();
    const second = new Collector();
    consume(topic, groupId, second);
    await second.received(16);
    expect(second.offsets(0)).toEqual(range(6, 4));
    expect(second.offsets(1)).toEqual(range(10));
  });

  it('seeks back and forth, also while a partition is being assigned', async () => {
    const topic = await kafka.createTopic({ partitions: 1 });
    await write(topic, 1, 20);
    const collector = new Collector();
    collector.claim = async () => consumer.seek(0, 15n);
    const consumer = consume(topic, kafka.uniqueName('group'), collector);
    await collector.received(5);
    consumer.seek(0, 18n);
    await collector.received(7);
    consumer.seek(0, 0n);
    await collector.received(27);
    expect(collector.offsets(0)).toEqual([...range(5, 15), 18, 19, ...range(20)]);
  });

  describe('with several members', () => {
    it('assigns a new member its share and takes no more than that from the others', async () => {
      const topic = await kafka.createTopic({ partitions: 12 });
      const groupId = kafka.uniqueName('group');
      const members: { readonly collector: Collector; readonly consumer: GuardedConsumer }[] = [];
      for (const share of [12, 6, 4, 3]) {
        const collector = new Collector();
        members.push({ collector, consumer: consume(topic, groupId, collector) });
        await Promise.all(members.map((member) => member.collector.until(() => member.collector.owned.size === share)));
      }
      // Once each: no partition was assigned and then reassigned.
      const gains = members.map(({ collector }) => collector.history.filter((line) => line.startsWith('assigned')).length);
      expect(gains).toEqual([1, 1, 1, 1]);
      const [leaver, ...stayers] = members;
      const before = stayers.map(({ collector }) => [...collector.owned]);
      await leaver?.consumer.stop();
      await Promise.all(stayers.map(({ collector }) => collector.until(() => collector.owned.size === 4)));
      stayers.forEach(({ collector }, index) => expect([...collector.owned]).toEqual(expect.arrayContaining(before[index] ?? [])));
    });

    it('repeats nothing from a retained partition although nothing was committed', async () => {
      const topic = await kafka.createTopic({ partitions: 2 });
      const groupId = kafka.uniqueName('group');
      await write(topic, 2, 10);
      const a = new Collector();
      consume(topic, groupId, a);
      await a.received(20);
      const b = new Collector();
      consume(topic, groupId, b);
      await b.received(10);
      await write(topic, 2, 1);
      const [kept] = [...a.owned];
      await a.until(() => a.offsets(kept ?? -1).length > 10);
      expect(a.offsets(kept ?? -1)).toEqual(range(11));
    });

    it('reassigns the partitions of a member that died silently', async () => {
      const topic = await kafka.createTopic({ partitions: 2 });
      const groupId = kafka.uniqueName('group');
      const doomed = createKafkaClient(connection, { logger: silentLogger });
      const [a, b] = [new Collector(), new Collector()];
      const survivor = consume(topic, groupId, a);
      await a.until(() => a.owned.size === 2);
      const handles: { cut(): void }[] = [];
      const watched = { ...doomed, consumer: (config: Parameters<typeof doomed.consumer>[0]) => withCut(doomed.consumer(config), handles) };
      consume(topic, groupId, b, {}, watched);
      await Promise.all([a, b].map((each) => each.until(() => each.owned.size === 1)));
      watched.consumer = () => {
        throw new Error('dead');
      };
      for (const handle of handles) handle.cut();
      await a.until(() => a.owned.size === 2);
      expect(survivor.health().rebuilds).toBe(0);
      await doomed.close();
    });
  });
});

function withCut<T extends { cut(): void }>(handle: T, handles: { cut(): void }[]): T {
  handles.push(handle);
  return handle;
}
