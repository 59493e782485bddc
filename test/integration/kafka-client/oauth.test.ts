import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger, type Logger } from '@pulsewire/kernel';
import { connectionOf, type KafkaConfig } from '@pulsewire/kafka';
import { createGuardedConsumer, createKafkaClient, createSafeProducer, createTopicsAndWait, withAdmin } from '@pulsewire/kafka/client';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { describeCluster } from '../../support/kafka/use-kafka.ts';
import { Collector, range } from './support/collector.ts';

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token without a signature, which the brokers of this test accept. */
function unsecuredToken(seconds = 3600): string {
  const now = Math.floor(Date.now() / 1000);
  return `${base64({ alg: 'none' })}.${base64({ sub: 'pulsewire', iat: now - 10, exp: now + seconds })}.`;
}

await describeCluster('brokers that require OAUTHBEARER', () => {
  const clientSecret = 'a-secret-nobody-logs';
  let cluster: KafkaCluster;
  let folder: string;
  let tokens: Server;
  let grants: { authorization: string | undefined; body: string }[] = [];
  let token = unsecuredToken();

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-oauth-'));
    tokens = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        grants.push({ authorization: request.headers.authorization, body });
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600 }));
      });
    });
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
    cluster = await startKafkaCluster({
      count: 1,
      security: { sasl: { mechanism: 'oauthbearer', token: async () => unsecuredToken() } },
      overrides: {
        'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_PLAINTEXT',
        'sasl.enabled.mechanisms': 'OAUTHBEARER',
        'sasl.mechanism.inter.broker.protocol': 'OAUTHBEARER',
        // Connections must authenticate again, as on managed clusters; kafkajs does ten seconds before this ends.
        'connections.max.reauth.ms': '11000',
        'listener.name.plaintext.oauthbearer.sasl.jaas.config':
          'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
      },
    });
  });
  afterAll(async () => {
    await cluster?.close();
    await new Promise((resolve) => tokens.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  const settings = (more: Partial<KafkaConfig>): KafkaConfig => ({
    kafkaBrokers: cluster.addresses,
    schemaRegistryUrl: undefined,
    kafkaTls: false,
    kafkaTlsCaFile: undefined,
    kafkaSaslMechanism: 'oauthbearer',
    kafkaSaslUsername: undefined,
    kafkaSaslPassword: undefined,
    kafkaClientId: 'test',
    kafkaTopicPrefix: 'oauth.',
    kafkaPartitions: 1,
    kafkaReplication: 1,
    kafkaRetentionHours: 120,
    ...more,
  });
  const fromEndpoint = () =>
    settings({
      kafkaOauthTokenUrl: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
      kafkaOauthClientId: 'pulsewire',
      kafkaOauthClientSecret: clientSecret,
      kafkaOauthScope: 'kafka',
      kafkaOauthExtensions: ['logicalCluster=lkc-1', 'identityPoolId=pool=2'],
    });

  const record = { partition: 0, offset: 0, key: 'k' };

  /** The records that were read. */
  async function writeAndRead(config: KafkaConfig, topic: string): Promise<Collector['messages']> {
    const client = createKafkaClient(await connectionOf(config), { logger: silentLogger });
    await withAdmin(client, 'a topic', (admin) => createTopicsAndWait(admin, [{ topic, numPartitions: 1 }]));
    const producer = createSafeProducer(client);
    await producer.send(topic, [{ partition: 0, key: 'k', value: Buffer.from('v'), headers: {} }]);
    await producer.close();
    const collector = new Collector();
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    const consumer = createGuardedConsumer(client, { groupId: topic, topic, onAssigned, onRevoked, onBatch, capacity, pollMs: 100 });
    await collector.received(1);
    await consumer.stop();
    await client.close();
    return collector.messages;
  }

  it('can be written and read with a token from an endpoint, requested once for all connections', async () => {
    token = unsecuredToken();
    grants = [];
    expect(await writeAndRead(fromEndpoint(), 'oauth.endpoint')).toEqual([record]);
    const authorization = `Basic ${Buffer.from(`pulsewire:${clientSecret}`).toString('base64')}`;
    expect(grants).toEqual([{ authorization, body: 'grant_type=client_credentials&scope=kafka' }]);
  });

  it('can be written and read with a token from a file', async () => {
    const file = path.join(folder, 'token');
    await writeFile(file, `${unsecuredToken()}\n`);
    expect(await writeAndRead(settings({ kafkaOauthTokenFile: file }), 'oauth.file')).toEqual([record]);
  });

  it('authenticate a connection again before its session ends, without a break in writing or reading', async () => {
    let authentications = 0;
    const sasl = { mechanism: 'oauthbearer', token: async () => (authentications++, unsecuredToken()) } as const;
    const client = createKafkaClient({ brokers: cluster.addresses, clientId: 'test', sasl }, { logger: silentLogger });
    const topic = 'oauth.again';
    await withAdmin(client, 'a topic', (admin) => createTopicsAndWait(admin, [{ topic, numPartitions: 1 }]));
    const producer = createSafeProducer(client);
    const collector = new Collector();
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    const consumer = createGuardedConsumer(client, { groupId: topic, topic, onAssigned, onRevoked, onBatch, capacity, pollMs: 100 });
    let written = 0;
    const write = () => producer.send(topic, [{ partition: 0, key: String(written++), value: Buffer.from('v'), headers: {} }]);
    await write();
    await collector.received(1);
    const connected = authentications;
    while (authentications < connected + 12) await write();
    await collector.received(written);
    expect(collector.offsets(0)).toEqual(range(written));
    expect(consumer.health()).toMatchObject({ rebuilds: 0, isMember: true });
    await consumer.stop();
    await producer.close();
    await client.close();
  });

  it('reject a token that has ended, with an error and without secrets in the log', async () => {
    token = unsecuredToken(-5);
    const lines: string[] = [];
    const log = (fields: object, event: string) => void lines.push(event + JSON.stringify(fields));
    const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger };
    const client = createKafkaClient(await connectionOf(fromEndpoint()), { logger });
    const producer = createSafeProducer(client, { sendTimeoutMs: 2_000 });
    const sent = producer.send('oauth.endpoint', [{ partition: 0, key: 'k', value: null, headers: {} }]);
    await expect(sent).rejects.toMatchObject({ code: 'kafka_unavailable', retryable: true });
    await producer.close();
    await client.close();
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of [clientSecret, token]) expect(lines.join('\n')).not.toContain(secret);
  });
});
