import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger, type Logger } from '@pulsewire/kernel';
import { connectionOf } from '@pulsewire/eventlog/kafka';
import {
  createGuardedConsumer,
  createKafkaClient,
  createSafeProducer,
  createTopicsAndWait,
  withAdmin,
  type KafkaConnection,
} from '@pulsewire/eventlog/kafka-client';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { describeCluster } from '../../support/kafka/use-kafka.ts';
import { Collector } from './support/collector.ts';

const run = promisify(execFile);
const username = 'pulsewire';
const password = 'a-password-nobody-logs';

/** A key of the broker's own with its certificate, as files for the broker and as text for clients. */
async function makeKeys(folder: string): Promise<{ readonly ca: string; readonly settings: Readonly<Record<string, string>> }> {
  const keystore = path.join(folder, 'broker.p12');
  const truststore = path.join(folder, 'trust.p12');
  const caFile = path.join(folder, 'ca.pem');
  const store = (file: string, alias: string) => ['-keystore', file, '-storetype', 'PKCS12', '-storepass', 'changeit', '-alias', alias];
  const own = store(keystore, 'broker');
  await run('keytool', ['-genkeypair', ...own, '-keyalg', 'EC', '-dname', 'CN=broker', '-ext', 'san=ip:127.0.0.1', '-validity', '2']);
  const ca = (await run('keytool', ['-exportcert', '-rfc', ...own])).stdout;
  await writeFile(caFile, ca);
  // A broker trusts itself before it starts.
  await run('keytool', ['-importcert', '-noprompt', ...store(truststore, 'ca'), '-file', caFile]);
  return {
    ca,
    settings: {
      'ssl.keystore.location': keystore,
      'ssl.keystore.password': 'changeit',
      'ssl.keystore.type': 'PKCS12',
      'ssl.truststore.location': truststore,
      'ssl.truststore.password': 'changeit',
      'ssl.truststore.type': 'PKCS12',
    },
  };
}

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
    const keys = await makeKeys(folder);
    caFile = path.join(folder, 'ca.pem');
    ({ ca } = keys);
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
    'are written to and read by the settings of a process: TLS with their authority, and %s',
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
    ['an authority that nobody knows', () => ({ tls: {}, sasl })],
    ['plain TCP', () => ({})],
  ])('refuse %s, which is reported in bounded time and without the password', async (_, security) => {
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
