import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AppError, errorCode, isAppError, isCertificates } from '@pulsewire/kernel';
import { assertKafkaConfig } from './assert-kafka-config.ts';
import type { KafkaConfig } from './kafka-config.ts';

/** Why the key of a client certificate cannot be used; null when it can. */
function keyProblem(key: string, certificates: string | undefined): string | null {
  try {
    const imported = createPrivateKey(key);
    const isOfOther =
      certificates !== undefined && isCertificates(certificates) && !new X509Certificate(certificates).checkPrivateKey(imported);
    return isOfOther ? 'is the key of another certificate than that in KAFKA_TLS_CERT_FILE' : null;
  } catch {
    return 'must contain a private key in PEM that is not encrypted';
  }
}

/** The problems of the files that the settings name. */
function fileProblems(config: KafkaConfig): string[] {
  const problems: string[] = [];
  const read = (env: string, file: string | undefined, problemIn: (text: string) => string | null): string | undefined => {
    if (file === undefined) return undefined;
    try {
      const text = readFileSync(file, 'utf8');
      const problem = problemIn(text);
      if (problem !== null) problems.push(`${env} ${problem}`);
      return text;
    } catch (error) {
      problems.push(`${env} cannot be read (${errorCode(error)})`);
      return undefined;
    }
  };
  const inPem = (text: string) => (isCertificates(text) ? null : 'must contain certificates in PEM');
  read('KAFKA_TLS_CA_FILE', config.kafkaTlsCaFile, inPem);
  const certificates = read('KAFKA_TLS_CERT_FILE', config.kafkaTlsCertFile, inPem);
  read('KAFKA_TLS_KEY_FILE', config.kafkaTlsKeyFile, (text) => keyProblem(text, certificates));
  read('KAFKA_OAUTH_TOKEN_FILE', config.kafkaOauthTokenFile, (text) => (text.trim() === '' ? 'is empty' : null));
  return problems;
}

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
  problems.push(...fileProblems(config));
  if (problems.length > 0)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: problems.join('; '), details: { problems } });
}
