import { AppError, isLoopback } from '@pulsewire/kernel';
import type { KafkaConfig } from './kafka-config.ts';

/** Host of `host:port` or `[address]:port`. */
function hostOf(broker: string): string {
  return broker.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}

/** The problems of the security settings, one sentence each, without values of secrets. */
function problemsOf(config: KafkaConfig): string[] {
  const problems: string[] = [];
  const { kafkaSaslMechanism: mechanism } = config;
  if (mechanism !== 'none' && (config.kafkaSaslUsername === undefined || config.kafkaSaslPassword === undefined))
    problems.push('KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD');
  if ((config.kafkaTlsCertFile === undefined) !== (config.kafkaTlsKeyFile === undefined))
    problems.push('KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE belong together: set both or neither');
  if (config.kafkaTls) return problems;
  for (const [env, file] of [
    ['KAFKA_TLS_CA_FILE', config.kafkaTlsCaFile],
    ['KAFKA_TLS_CERT_FILE', config.kafkaTlsCertFile],
    ['KAFKA_TLS_KEY_FILE', config.kafkaTlsKeyFile],
  ])
    if (file !== undefined) problems.push(`${env} has no effect without KAFKA_TLS=true`);
  if (mechanism !== 'plain') return problems;
  if (config.kafkaSaslPlainWithoutTls !== true)
    problems.push(
      'KAFKA_SASL_MECHANISM=plain sends the password in the clear: set KAFKA_TLS=true, or KAFKA_SASL_PLAIN_WITHOUT_TLS=true for brokers on loopback addresses',
    );
  else if (!config.kafkaBrokers.every((broker) => isLoopback(hostOf(broker))))
    problems.push('KAFKA_SASL_PLAIN_WITHOUT_TLS is only for brokers on loopback addresses: set KAFKA_TLS=true');
  return problems;
}

/** Throws AppError `config_invalid` with every problem of the security settings in its message and in `details.problems`. */
export function assertKafkaConfig(config: KafkaConfig): void {
  const problems = problemsOf(config);
  if (problems.length === 0) return;
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: problems.join('; '), details: { problems } });
}
