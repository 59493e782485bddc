import { silentLogger, type Logger } from '@pulsewire/kernel';
import type { Producer } from 'kafkajs';
import { expect, it } from 'vitest';
import { createKafkaClient } from '../kafka-client.ts';
import { createSafeProducer } from './safe-producer.ts';

it('a producer that reported an unwritten send as success is replaced before the next send', async () => {
  const made: { isCut: boolean; sends: number }[] = [];
  const client = {
    ...createKafkaClient({ brokers: ['nobody:1'], clientId: 'test' }, { logger: silentLogger }),
    producer() {
      const own = { isCut: false, sends: 0 };
      made.push(own);
      const isHonest = made.length > 1;
      const api = {
        connect: async () => {},
        async sendBatch() {
          own.sends += 1;
          return isHonest ? [{ topicName: 'topic', partition: 0, errorCode: 0 }] : [];
        },
      } as unknown as Producer;
      return { api, close: async () => {}, cut: () => void (own.isCut = true) };
    },
  };
  const producer = createSafeProducer(client, { sendTimeoutMs: 300 });
  const send = () => producer.send('topic', [{ partition: 0, key: 'a', value: null, headers: {} }]);
  await expect(send()).rejects.toMatchObject({ code: 'kafka_unavailable', retryable: true });
  await send();
  expect(made).toMatchObject([{ isCut: true }, { isCut: false, sends: 1 }]);
  expect(made[0]?.sends).toBeGreaterThan(0);
  await producer.close();
});

it('an acknowledgement below an earlier one is reported as acknowledged records that the brokers lost', async () => {
  const offsets = ['10', '12', '11', '-1', '13'];
  const lost: unknown[] = [];
  const logger: Logger = { ...silentLogger, error: (fields, event) => void lost.push([event, fields]) };
  const client = {
    ...createKafkaClient({ brokers: ['nobody:1'], clientId: 'test' }, { logger }),
    producer() {
      const sendBatch = async () => [{ topicName: 'topic', partition: 3, errorCode: 0, baseOffset: offsets.shift() }];
      return { api: { connect: async () => {}, sendBatch } as unknown as Producer, close: async () => {}, cut: () => {} };
    },
  };
  const producer = createSafeProducer(client);
  const record = { partition: 3, key: 'a', value: null, headers: {} };
  while (offsets.length > 0) await producer.send('topic', [record, record]);
  // 12 and 13 were acknowledged before 11 was given again.
  expect(lost).toEqual([['kafka.records_lost', { topic: 'topic', partition: 3, records: 3 }]]);
  await producer.close();
});
