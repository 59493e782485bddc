import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger, type Logger } from '@pulsewire/kernel';
import {
  createKafkaClient,
  createSafeProducer,
  createTopicsAndWait,
  readTopicEnds,
  withAdmin,
  type KafkaConnection,
} from '@pulsewire/eventlog/kafka-client';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { describeCluster } from '../../support/kafka/use-kafka.ts';

const run = promisify(execFile);
const username = 'pulsewire';
const password = 'a-password-nobody-logs';
const sasl = { mechanism: 'plain', username, password } as const;

await describeCluster('brokers behind TLS and SASL', () => {
  let cluster: KafkaCluster;
  let folder: string;
  let ca: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-tls-'));
    const keystore = path.join(folder, 'broker.p12');
    const store = ['-keystore', keystore, '-storetype', 'PKCS12', '-storepass', 'changeit', '-alias', 'broker'];
    await run('keytool', ['-genkeypair', ...store, '-keyalg', 'EC', '-dname', 'CN=broker', '-ext', 'san=ip:127.0.0.1', '-validity', '2']);
    ca = (await run('keytool', ['-exportcert', '-rfc', ...store])).stdout;
    // A broker trusts itself before it starts.
    const truststore = path.join(folder, 'trust.p12');
    await writeFile(path.join(folder, 'ca.pem'), ca);
    await run('keytool', [
      '-importcert',
      '-noprompt',
      '-keystore',
      truststore,
      '-storetype',
      'PKCS12',
      '-storepass',
      'changeit',
      '-alias',
      'ca',
      '-file',
      path.join(folder, 'ca.pem'),
    ]);
    cluster = await startKafkaCluster({
      count: 1,
      security: { tls: { ca }, sasl },
      overrides: {
        'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_SSL',
        'sasl.enabled.mechanisms': 'PLAIN',
        'sasl.mechanism.inter.broker.protocol': 'PLAIN',
        'listener.name.plaintext.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required username="${username}" password="${password}" user_${username}="${password}";`,
        'ssl.keystore.location': keystore,
        'ssl.keystore.password': 'changeit',
        'ssl.keystore.type': 'PKCS12',
        'ssl.truststore.location': truststore,
        'ssl.truststore.password': 'changeit',
        'ssl.truststore.type': 'PKCS12',
      },
    });
  });
  afterAll(async () => {
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const connection = (security: Pick<KafkaConnection, 'tls' | 'sasl'>) => ({ ...security, brokers: cluster.addresses, clientId: 'test' });

  it('are written to with the right authority and password', async () => {
    const client = createKafkaClient(connection({ tls: { ca }, sasl }), { logger: silentLogger });
    await withAdmin(client, 'a topic', (admin) => createTopicsAndWait(admin, [{ topic: 'secured', numPartitions: 1 }]));
    const producer = createSafeProducer(client);
    await producer.send('secured', [{ partition: 0, key: 'k', value: Buffer.from('v'), headers: {} }]);
    await producer.close();
    expect((await readTopicEnds(client, 'secured')).get(0)?.next).toBe(1n);
    await client.close();
  });

  it.each([
    ['a wrong password', () => ({ tls: { ca }, sasl: { ...sasl, password: `${password}!` } })],
    ['an authority that nobody knows', () => ({ tls: {}, sasl })],
    ['plain TCP', () => ({})],
  ])('refuse %s, which is reported in bounded time and without the password', async (_, security) => {
    const lines: string[] = [];
    const log = (fields: object, event: string) => void lines.push(event + JSON.stringify(fields));
    const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger };
    const client = createKafkaClient({ ...connection(security()), connectTimeoutMs: 1_000 }, { logger });
    const producer = createSafeProducer(client, { sendTimeoutMs: 2_000 });
    const error = await producer.send('secured', [{ partition: 0, key: 'k', value: null, headers: {} }]).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'kafka_unavailable', retryable: true });
    await producer.close();
    await client.close();
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain(password);
  });
});
