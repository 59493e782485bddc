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

it('names every contradiction of the TLS settings at once', () => {
  const problems = ['KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE', 'KAFKA_TLS_CA_FILE has', 'KAFKA_TLS_CERT_FILE has', 'in the clear'];
  const thrown = () => assertKafkaConfig({ ...config, kafkaTlsCaFile: 'ca.pem', kafkaTlsCertFile: 'client.pem' });
  for (const problem of problems) expect(thrown).toThrow(problem);
});
