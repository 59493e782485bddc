import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import { connectionOf, type KafkaConfig } from '@pulsewire/kafka';
import { createKafkaClient, createSafeProducer, createTopicsAndWait, withAdmin } from '@pulsewire/kafka/client';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { describeCluster } from '../../support/kafka/use-kafka.ts';
import { makeBrokerKeys, makeClientKeys, type ClientKeys } from './support/tls-keys.ts';

await describeCluster('brokers that ask for client certificates', () => {
  let cluster: KafkaCluster;
  let folder: string;
  let caFile: string;
  let trusted: ClientKeys;
  let unknown: ClientKeys;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-mtls-'));
    [trusted, unknown] = await Promise.all([makeClientKeys(folder, 'trusted'), makeClientKeys(folder, 'unknown')]);
    const broker = await makeBrokerKeys(folder, [trusted.certFile]);
    ({ caFile } = broker);
    const [cert, key] = await Promise.all([readFile(trusted.certFile, 'utf8'), readFile(trusted.keyFile, 'utf8')]);
    cluster = await startKafkaCluster({
      count: 1,
      security: { tls: { ca: broker.ca, cert, key } },
      overrides: {
        ...broker.settings,
        'ssl.client.auth': 'required',
        'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:SSL',
      },
    });
  });
  afterAll(async () => {
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const settings = (keys: ClientKeys | undefined): KafkaConfig => ({
    kafkaBrokers: cluster.addresses,
    schemaRegistryUrl: undefined,
    kafkaTls: true,
    kafkaTlsCaFile: caFile,
    kafkaTlsCertFile: keys?.certFile,
    kafkaTlsKeyFile: keys?.keyFile,
    kafkaSaslMechanism: 'none',
    kafkaSaslUsername: undefined,
    kafkaSaslPassword: undefined,
    kafkaClientId: 'test',
    kafkaTopicPrefix: 'mtls.',
    kafkaPartitions: 1,
    kafkaReplication: 1,
    kafkaRetentionHours: 120,
  });

  it('accept the certificate and key from the settings', async () => {
    const client = createKafkaClient(await connectionOf(settings(trusted)), { logger: silentLogger });
    await withAdmin(client, 'a topic', (admin) => createTopicsAndWait(admin, [{ topic: 'mtls.topic', numPartitions: 1 }]));
    const producer = createSafeProducer(client);
    const sent = producer.send('mtls.topic', [{ partition: 0, key: 'k', value: Buffer.from('v'), headers: {} }]);
    await expect(sent).resolves.not.toThrow();
    await producer.close();
    await client.close();
  });

  it.each([
    ['a client without a certificate', () => undefined],
    ['a certificate that they do not trust', () => unknown],
  ])('reject %s, with an error within bounded time', async (_, keys) => {
    const connection = { ...(await connectionOf(settings(keys()))), connectTimeoutMs: 1_000 };
    const client = createKafkaClient(connection, { logger: silentLogger });
    const producer = createSafeProducer(client, { sendTimeoutMs: 2_000 });
    const sent = producer.send('mtls.topic', [{ partition: 0, key: 'k', value: null, headers: {} }]);
    await expect(sent).rejects.toMatchObject({ code: 'kafka_unavailable', retryable: true });
    await producer.close();
    await client.close();
  });

  it('are not attempted when a configured file cannot be read', async () => {
    const missing = { certFile: path.join(folder, 'missing.pem'), keyFile: trusted.keyFile };
    await expect(connectionOf(settings(missing))).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'KAFKA_TLS_CERT_FILE cannot be read (ENOENT)',
    });
  });
});
