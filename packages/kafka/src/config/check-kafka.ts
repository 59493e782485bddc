import { readFileSync } from 'node:fs';
import { AppError, errorCode, isAppError } from '@pulsewire/kernel';
import { assertKafkaConfig } from './assert-kafka-config.ts';
import type { KafkaConfig } from './kafka-config.ts';

/** Checks these settings without connecting; without brokers, none of them is used. Throws AppError `config_invalid` with every problem. */
export function checkKafka(config: KafkaConfig): void {
  if (config.kafkaBrokers.length === 0) return;
  const problems: string[] = [];
  try {
    assertKafkaConfig(config);
  } catch (error) {
    if (!isAppError(error)) throw error;
    problems.push(...(error.details['problems'] as string[]));
  }
  if (config.schemaRegistryUrl === undefined) problems.push('KAFKA_BROKERS needs SCHEMA_REGISTRY_URL');
  for (const [env, file] of [
    ['KAFKA_TLS_CA_FILE', config.kafkaTlsCaFile],
    ['KAFKA_TLS_CERT_FILE', config.kafkaTlsCertFile],
    ['KAFKA_TLS_KEY_FILE', config.kafkaTlsKeyFile],
  ] as const) {
    try {
      if (file !== undefined) readFileSync(file);
    } catch (error) {
      problems.push(`${env} cannot be read (${errorCode(error)})`);
    }
  }
  if (problems.length > 0)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: problems.join('; '), details: { problems } });
}
