import { describe, expect, it } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { createSegmentRoller } from './create-segment-roller.ts';
import { assertKafkaConfig } from './config/assert-kafka-config.ts';
import type { KafkaConfig } from './config/kafka-config.ts';

const config: KafkaConfig = {
  kafkaBrokers: ['kafka.internal:9092'],
  schemaRegistryUrl: 'http://registry',
  kafkaTls: false,
  kafkaTlsCaFile: undefined,
  kafkaSaslMechanism: 'plain',
  kafkaSaslUsername: 'pulsewire',
  kafkaSaslPassword: 'a-password-nobody-logs',
  kafkaClientId: 'test',
  kafkaTopicPrefix: 'test.',
  kafkaPartitions: 1,
  kafkaReplication: 1,
  kafkaRetentionHours: 120,
};
const inTheClear = expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining('KAFKA_TLS=true') });

describe('SASL PLAIN without TLS', () => {
  it('is rejected, and the error does not contain the password', () => {
    expect(() => assertKafkaConfig(config)).toThrow(inTheClear);
    expect(() => assertKafkaConfig(config)).toThrow(/^(?!.*a-password-nobody-logs)/);
  });

  it('is rejected at the start of a scheduler too, although it connects later', () => {
    expect(() => createSegmentRoller({ config, logger: silentLogger, metrics: noMetrics })).toThrow(inTheClear);
  });

  it('can be allowed for loopback brokers only', () => {
    const allowed = { ...config, kafkaSaslPlainWithoutTls: true };
    for (const broker of ['localhost:9092', '127.0.0.1:9092', '[::1]:9092'])
      expect(() => assertKafkaConfig({ ...allowed, kafkaBrokers: [broker] })).not.toThrow();
    for (const broker of ['kafka.internal:9092', '10.0.0.5:9092', 'localhost.example.com:9092'])
      expect(() => assertKafkaConfig({ ...allowed, kafkaBrokers: ['localhost:9092', broker] })).toThrow(inTheClear);
  });

  it('does not concern SCRAM, which never sends the password', () => {
    expect(() => assertKafkaConfig({ ...config, kafkaSaslMechanism: 'scram-sha-512' })).not.toThrow();
  });
});

describe('tokens', () => {
  const oauth = {
    ...config,
    kafkaSaslMechanism: 'oauthbearer',
    kafkaSaslUsername: undefined,
    kafkaSaslPassword: undefined,
    kafkaOauthTokenUrl: 'https://id.example/token',
    kafkaOauthClientId: 'pulsewire',
    kafkaOauthClientSecret: 'a-secret-nobody-logs',
    kafkaTls: true,
  } as const;

  it('need TLS to brokers and to the endpoint, except on loopback addresses', () => {
    expect(() => assertKafkaConfig(oauth)).not.toThrow();
    expect(() => assertKafkaConfig({ ...oauth, kafkaTls: false })).toThrow(inTheClear);
    expect(() => assertKafkaConfig({ ...oauth, kafkaTls: false, kafkaBrokers: ['localhost:9092'] })).not.toThrow();
    expect(() => assertKafkaConfig({ ...oauth, kafkaOauthTokenUrl: 'http://id.example/token' })).toThrow('use https');
  });

  it.each([
    [{ kafkaOauthClientSecret: undefined }, 'needs KAFKA_OAUTH_TOKEN_URL'],
    [{ kafkaOauthTokenUrl: undefined }, 'needs KAFKA_OAUTH_TOKEN_URL'],
    [{ kafkaOauthTokenFile: 'token' }, 'exclude each other'],
    [{ kafkaSaslMechanism: 'aws-msk-iam' }, 'needs KAFKA_AWS_REGION'],
    [{ kafkaOauthExtensions: ['logicalCluster=lkc-1', 'identityPoolId'] }, 'KAFKA_OAUTH_EXTENSIONS'],
    [{ kafkaOauthExtensions: ['auth=Bearer x'] }, 'KAFKA_OAUTH_EXTENSIONS'],
    [{ kafkaOauthExtensions: ['pool=a\u0001auth=Bearer x'] }, 'KAFKA_OAUTH_EXTENSIONS'],
  ] as const)('need complete settings: %j', (more, problem) => {
    expect(() => assertKafkaConfig({ ...oauth, ...more })).toThrow(problem);
  });
});

describe('settings of another mechanism than the chosen one', () => {
  const plain = { ...config, kafkaTls: true };
  const none = { ...plain, kafkaSaslMechanism: 'none', kafkaSaslUsername: undefined, kafkaSaslPassword: undefined } as const;

  it.each([
    [{ kafkaSaslUsername: 'u' }, 'KAFKA_SASL_USERNAME', 'plain, scram-sha-256 or scram-sha-512'],
    [{ kafkaSaslPassword: 'nobody-logs' }, 'KAFKA_SASL_PASSWORD', 'plain, scram-sha-256 or scram-sha-512'],
    [{ kafkaOauthTokenUrl: 'https://id.example' }, 'KAFKA_OAUTH_TOKEN_URL', 'oauthbearer'],
    [{ kafkaOauthClientId: 'c' }, 'KAFKA_OAUTH_CLIENT_ID', 'oauthbearer'],
    [{ kafkaOauthClientSecret: 'nobody-logs' }, 'KAFKA_OAUTH_CLIENT_SECRET', 'oauthbearer'],
    [{ kafkaOauthScope: 's' }, 'KAFKA_OAUTH_SCOPE', 'oauthbearer'],
    [{ kafkaOauthTokenFile: '/token' }, 'KAFKA_OAUTH_TOKEN_FILE', 'oauthbearer'],
    [{ kafkaOauthExtensions: ['a=1'] }, 'KAFKA_OAUTH_EXTENSIONS', 'oauthbearer'],
    [{ kafkaAwsRegion: 'eu-west-1' }, 'KAFKA_AWS_REGION', 'aws-msk-iam'],
    [{ kafkaSaslPlainWithoutTls: true }, 'KAFKA_SASL_PLAIN_WITHOUT_TLS', 'plain'],
  ])('are refused by name, such as %j', (more, env, mechanism) => {
    expect(() => assertKafkaConfig(none)).not.toThrow();
    expect(() => assertKafkaConfig({ ...none, ...more })).toThrow(
      `${env} has no effect without KAFKA_SASL_MECHANISM=${mechanism}: set that, or remove it`,
    );
    expect(() => assertKafkaConfig({ ...none, ...more })).not.toThrow('nobody-logs');
  });

  it('are refused beside a file with the token, and extensions that are given twice', () => {
    const token = { ...none, kafkaSaslMechanism: 'oauthbearer', kafkaOauthTokenFile: '/token' } as const;
    expect(() => assertKafkaConfig({ ...token, kafkaOauthExtensions: ['a=1', 'b=1'] })).not.toThrow();
    expect(() => assertKafkaConfig({ ...token, kafkaOauthClientSecret: 's' })).toThrow('KAFKA_OAUTH_CLIENT_SECRET has no effect');
    expect(() => assertKafkaConfig({ ...token, kafkaOauthExtensions: ['a=1', 'a=2'] })).toThrow('each name once');
  });
});

it('names every contradiction of the TLS settings at once', () => {
  const problems = ['KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE', 'KAFKA_TLS_CA_FILE has', 'KAFKA_TLS_CERT_FILE has', 'in the clear'];
  const thrown = () => assertKafkaConfig({ ...config, kafkaTlsCaFile: 'ca.pem', kafkaTlsCertFile: 'client.pem' });
  for (const problem of problems) expect(thrown).toThrow(problem);
});
