import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger, type Logger } from '@pulsewire/kernel';
import { connectionOf } from '@pulsewire/kafka';
import {
  createGuardedConsumer,
  createKafkaClient,
  createSafeProducer,
  createTopicsAndWait,
  withAdmin,
  type KafkaConnection,
} from '@pulsewire/kafka/client';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { describeCluster } from '../../support/kafka/use-kafka.ts';
import { Collector } from './support/collector.ts';
import { makeBrokerKeys } from './support/tls-keys.ts';

const username = 'pulsewire';
const password = 'a-password-nobody-logs';

const login = (module: string, users = '') =>
  `org.apache.kafka.common.security.${module} required username="${username}" password="${password}"${users};`;

await describeCluster('brokers behind TLS and SASL', () => {
  let cluster: KafkaCluster;
  let folder: string;
  let caFile: string;
  let ca: string;
  const sasl = { mechanism: 'plain', username, password } as const;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-tls-'));
    const keys = await makeBrokerKeys(folder);
    ({ ca, caFile } = keys);
    cluster = await startKafkaCluster({
      count: 1,
      security: { tls: { ca }, sasl },
      overrides: {
        ...keys.settings,
        'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_SSL',
        'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        'sasl.mechanism.inter.broker.protocol': 'PLAIN',
        'listener.name.plaintext.plain.sasl.jaas.config': login('plain.PlainLoginModule', ` user_${username}="${password}"`),
        'listener.name.plaintext.scram-sha-256.sasl.jaas.config': login('scram.ScramLoginModule'),
        'listener.name.plaintext.scram-sha-512.sasl.jaas.config': login('scram.ScramLoginModule'),
      },
      scramUsers: ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map((mechanism) => `${mechanism}=[name=${username},password=${password}]`),
    });
  });
  afterAll(async () => {
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const connection = (security: Pick<KafkaConnection, 'tls' | 'sasl'>) => ({ ...security, brokers: cluster.addresses, clientId: 'test' });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'can be written and read with the settings of a process: TLS with their authority, and %s',
    async (mechanism) => {
      const topic = `secured.${mechanism}`;
      const settings = await connectionOf({
        kafkaBrokers: cluster.addresses,
        schemaRegistryUrl: undefined,
        kafkaTls: true,
        kafkaTlsCaFile: caFile,
        kafkaSaslMechanism: mechanism,
        kafkaSaslUsername: username,
        kafkaSaslPassword: password,
        kafkaClientId: 'test',
        kafkaTopicPrefix: 'secured.',
        kafkaPartitions: 1,
        kafkaReplication: 1,
        kafkaRetentionHours: 120,
      });
      const client = createKafkaClient(settings, { logger: silentLogger });
      await withAdmin(client, 'a topic', (admin) => createTopicsAndWait(admin, [{ topic, numPartitions: 1 }]));
      const producer = createSafeProducer(client);
      await producer.send(topic, [{ partition: 0, key: 'k', value: Buffer.from('v'), headers: {} }]);
      await producer.close();
      const collector = new Collector();
      const { onAssigned, onRevoked, onBatch, capacity } = collector;
      const consumer = createGuardedConsumer(client, { groupId: topic, topic, onAssigned, onRevoked, onBatch, capacity, pollMs: 100 });
      await collector.received(1);
      expect(collector.messages).toEqual([{ partition: 0, offset: 0, key: 'k' }]);
      await consumer.stop();
      await client.close();
    },
  );

  it.each([
    ['a wrong password', () => ({ tls: { ca }, sasl: { ...sasl, password: `${password}!` } })],
    [
      'a wrong password for SCRAM',
      () => ({ tls: { ca }, sasl: { ...sasl, mechanism: 'scram-sha-512', password: `${password}!` } }) as const,
    ],
    ['an unknown authority', () => ({ tls: {}, sasl })],
    ['plain TCP', () => ({})],
  ])('reject %s, with an error within bounded time and without the password', async (_, security) => {
    const lines: string[] = [];
    const log = (fields: object, event: string) => void lines.push(event + JSON.stringify(fields));
    const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger };
    const client = createKafkaClient({ ...connection(security()), connectTimeoutMs: 1_000 }, { logger });
    const producer = createSafeProducer(client, { sendTimeoutMs: 2_000 });
    const error = await producer
      .send('secured.plain', [{ partition: 0, key: 'k', value: null, headers: {} }])
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'kafka_unavailable', retryable: true });
    await producer.close();
    await client.close();
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain(password);
  });
});
