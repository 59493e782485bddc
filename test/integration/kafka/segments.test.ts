import { expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { connectionOf, createKafkaClient, createSafeProducer } from '@pulsewire/kafka';
import { createSegmentRoller } from '@pulsewire/kafka/lazy';
import { createTopicAt, describeKafka } from '../../support/kafka/use-kafka.ts';
import { readToEnd } from './support/read-to-end.ts';
import { configFor } from './support/kafka-harness.ts';

// One second instead of the documented day.
const segmentMs = 1000;
const settings = {
  'cleanup.policy': 'compact',
  'segment.ms': String(segmentMs),
  'max.compaction.lag.ms': '1000',
  'delete.retention.ms': '1000',
  'min.cleanable.dirty.ratio': '0.01',
};

describeKafka('a quiet partition of a compacted topic', (kafka) => {
  const config = configFor(kafka, `${kafka.uniqueName('segments')}.`, 2);

  test('drops an erased value only once markers are written', async () => {
    const [rolled, quiet] = [`${config.kafkaTopicPrefix}summaries`, `${config.kafkaTopicPrefix}quiet`];
    for (const topic of [rolled, quiet, `${config.kafkaTopicPrefix}connections`, `${config.kafkaTopicPrefix}events`])
      await createTopicAt(kafka.brokers, topic, { partitions: 2, settings });
    const client = createKafkaClient(await connectionOf(config), { logger: silentLogger });
    const producer = createSafeProducer(client);
    for (const topic of [rolled, quiet]) {
      await producer.send(topic, [{ partition: 1, key: 'erased', value: Buffer.from('health'), headers: {} }]);
      await producer.send(topic, [{ partition: 1, key: 'erased', value: null, headers: {} }]);
    }
    await producer.close();

    const valuesIn = async (topic: string): Promise<number> => {
      const records = await readToEnd(client, topic, kafka.uniqueName('segments'));
      return records.filter(({ key, value }) => String(key) === 'erased' && value !== null).length;
    };
    expect(await valuesIn(rolled)).toBe(1);
    const roller = createSegmentRoller({ config, logger: silentLogger, metrics: noMetrics });
    // The first marker closes the segment with the value, later ones that with the tombstone; the broker compacts four times a minute.
    await expect
      .poll(
        async () => {
          await roller?.roll();
          return valuesIn(rolled);
        },
        { timeout: 90_000, interval: 3000 },
      )
      .toBe(0);
    expect(await valuesIn(quiet)).toBe(1);
    await roller?.close();
    await client.close();
  }, 150_000);
});
