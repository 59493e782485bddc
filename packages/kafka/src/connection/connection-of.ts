import { readFile } from 'node:fs/promises';
import { AppError, errorCode } from '@pulsewire/kernel';
import { assertKafkaConfig } from '../config/assert-kafka-config.ts';
import type { KafkaConnection } from '../client/config.ts';
import { tokensOf } from './sasl-tokens.ts';
import type { KafkaConfig } from '../config/kafka-config.ts';

async function readPem(env: string, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: `${env} cannot be read (${errorCode(cause)})`, cause });
  }
}

async function tlsOf(config: KafkaConfig): Promise<NonNullable<KafkaConnection['tls']>> {
  const ca = await readPem('KAFKA_TLS_CA_FILE', config.kafkaTlsCaFile);
  const cert = await readPem('KAFKA_TLS_CERT_FILE', config.kafkaTlsCertFile);
  const key = await readPem('KAFKA_TLS_KEY_FILE', config.kafkaTlsKeyFile);
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
}

/** The settings in the client's format. Throws AppError `config_invalid`. */
export async function connectionOf(config: KafkaConfig): Promise<KafkaConnection> {
  assertKafkaConfig(config);
  return {
    brokers: config.kafkaBrokers,
    clientId: config.kafkaClientId,
    ...(config.kafkaTls && { tls: await tlsOf(config) }),
    ...saslOf(config),
  };
}

function saslOf(config: KafkaConfig): Pick<KafkaConnection, 'sasl'> {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username = '', kafkaSaslPassword: password = '' } = config;
  if (mechanism === 'none') return {};
  // Amazon's brokers take the signed request as an OAUTHBEARER token.
  if (mechanism === 'aws-msk-iam') return { sasl: { mechanism: 'oauthbearer', token: tokensOf(config) } };
  if (mechanism === 'oauthbearer') {
    const extensions = Object.fromEntries((config.kafkaOauthExtensions ?? []).map((one) => splitOnce(one)));
    return { sasl: { mechanism, token: tokensOf(config), extensions } };
  }
  return { sasl: { mechanism, username, password } };
}

function splitOnce(extension: string): [string, string] {
  const at = extension.indexOf('=');
  return [extension.slice(0, at), extension.slice(at + 1)];
}
