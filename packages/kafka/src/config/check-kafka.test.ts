import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkKafka } from './check-kafka.ts';
import type { KafkaConfig } from './kafka-config.ts';

const config: KafkaConfig = {
  kafkaBrokers: ['h:9092'],
  schemaRegistryUrl: 'https://registry.example',
  kafkaTls: true,
  kafkaTlsCaFile: undefined,
  kafkaSaslMechanism: 'none',
  kafkaSaslUsername: undefined,
  kafkaSaslPassword: undefined,
  kafkaClientId: 'test',
  kafkaTopicPrefix: 'test.',
  kafkaPartitions: 1,
  kafkaReplication: 1,
  kafkaRetentionHours: 120,
};
const token = { kafkaSaslMechanism: 'oauthbearer' } as const;
const run = promisify(execFile);
let folder = '';
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pulsewire-kafka-'));
  for (const name of ['one', 'other']) {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', at(`${name}.key`)];
    await run('openssl', ['req', '-x509', ...key, '-subj', `/CN=${name}`, '-days', '2', '-out', at(`${name}.pem`)]);
  }
  writeFileSync(at('text'), 'no certificate\n');
  writeFileSync(at('empty'), '\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

function problemsOf(more: Partial<KafkaConfig>): readonly string[] {
  try {
    checkKafka({ ...config, ...more });
  } catch (error) {
    return (error as { details: { problems: string[] } }).details.problems;
  }
  return [];
}

describe('files that the settings of Kafka name', () => {
  it('are accepted when they contain what their settings promise', () => {
    const files = { kafkaTlsCaFile: at('other.pem'), kafkaTlsCertFile: at('one.pem'), kafkaTlsKeyFile: at('one.key') };
    expect(problemsOf(files)).toEqual([]);
    expect(problemsOf({ ...token, kafkaOauthTokenFile: at('text') })).toEqual([]);
  });

  it.each([
    ['kafkaTlsCaFile', 'KAFKA_TLS_CA_FILE', 'text', 'must contain certificates in PEM'],
    ['kafkaTlsCaFile', 'KAFKA_TLS_CA_FILE', 'one.key', 'must contain certificates in PEM'],
    ['kafkaTlsCertFile', 'KAFKA_TLS_CERT_FILE', 'text', 'must contain certificates in PEM'],
    ['kafkaTlsKeyFile', 'KAFKA_TLS_KEY_FILE', 'text', 'must contain a private key in PEM that is not encrypted'],
    ['kafkaTlsKeyFile', 'KAFKA_TLS_KEY_FILE', 'other.key', 'is the key of another certificate'],
    ['kafkaTlsKeyFile', 'KAFKA_TLS_KEY_FILE', 'none', 'cannot be read (ENOENT)'],
  ])('are refused for TLS: %s, %s=%s', (key, name, file, problem) => {
    const files = { kafkaTlsCertFile: at('one.pem'), kafkaTlsKeyFile: at('one.key'), [key]: at(file) };
    expect(problemsOf(files)).toContainEqual(expect.stringContaining(`${name} ${problem}`));
  });

  it.each([
    ['none', 'cannot be read (ENOENT)'],
    ['empty', 'is empty'],
  ])('are refused for tokens: %s', (file, problem) => {
    expect(problemsOf({ ...token, kafkaOauthTokenFile: at(file) })).toEqual([`KAFKA_OAUTH_TOKEN_FILE ${problem}`]);
  });
});

it('settings of Kafka are accepted without brokers, because environments are shared', () => {
  const shared = { kafkaSaslUsername: 'u', kafkaOauthTokenFile: '/nowhere', kafkaAwsRegion: 'eu-west-1' };
  expect(problemsOf({ ...shared, kafkaBrokers: [] })).toEqual([]);
});
