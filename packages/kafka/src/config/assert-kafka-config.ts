import { AppError, isLoopback } from '@pulsewire/kernel';
import type { KafkaConfig } from './kafka-config.ts';

/** Host of `host:port` or `[address]:port`. */
function hostOf(broker: string): string {
  return broker.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}

function sendsTokens({ kafkaSaslMechanism: mechanism }: KafkaConfig): boolean {
  return mechanism === 'oauthbearer' || mechanism === 'aws-msk-iam';
}

type Used = readonly [env: string, value: unknown];

const isSet = (value: unknown) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

const unused = (settings: readonly Used[], needed: string): string[] =>
  settings.flatMap(([env, value]) => (isSet(value) ? [`${env} has no effect without ${needed}: set that, or remove it`] : []));

/** Settings of another way to authenticate than the chosen one: whoever set them believes that they count. */
function unusedProblems(config: KafkaConfig): string[] {
  const { kafkaSaslMechanism: mechanism } = config;
  const user: readonly Used[] = [
    ['KAFKA_SASL_USERNAME', config.kafkaSaslUsername],
    ['KAFKA_SASL_PASSWORD', config.kafkaSaslPassword],
  ];
  const client: readonly Used[] = [
    ['KAFKA_OAUTH_CLIENT_ID', config.kafkaOauthClientId],
    ['KAFKA_OAUTH_CLIENT_SECRET', config.kafkaOauthClientSecret],
    ['KAFKA_OAUTH_SCOPE', config.kafkaOauthScope],
  ];
  const token: readonly Used[] = [
    ['KAFKA_OAUTH_TOKEN_URL', config.kafkaOauthTokenUrl],
    ...client,
    ['KAFKA_OAUTH_TOKEN_FILE', config.kafkaOauthTokenFile],
    ['KAFKA_OAUTH_EXTENSIONS', config.kafkaOauthExtensions],
  ];
  const takesToken = mechanism === 'oauthbearer';
  return [
    ...(/^(plain|scram)/.test(mechanism) ? [] : unused(user, 'KAFKA_SASL_MECHANISM=plain, scram-sha-256 or scram-sha-512')),
    ...(takesToken ? [] : unused(token, 'KAFKA_SASL_MECHANISM=oauthbearer')),
    ...(takesToken && config.kafkaOauthTokenFile !== undefined
      ? unused(client, 'KAFKA_OAUTH_TOKEN_URL in place of KAFKA_OAUTH_TOKEN_FILE')
      : []),
    ...(mechanism === 'aws-msk-iam' ? [] : unused([['KAFKA_AWS_REGION', config.kafkaAwsRegion]], 'KAFKA_SASL_MECHANISM=aws-msk-iam')),
    ...(mechanism === 'plain'
      ? []
      : unused([['KAFKA_SASL_PLAIN_WITHOUT_TLS', config.kafkaSaslPlainWithoutTls]], 'KAFKA_SASL_MECHANISM=plain')),
  ];
}

function tokenProblems(config: KafkaConfig): string[] {
  const { kafkaSaslMechanism: mechanism, kafkaOauthTokenFile: file, kafkaOauthTokenUrl: url } = config;
  if (mechanism === 'aws-msk-iam')
    return config.kafkaAwsRegion === undefined ? ['KAFKA_SASL_MECHANISM=aws-msk-iam needs KAFKA_AWS_REGION'] : [];
  if (mechanism !== 'oauthbearer') return [];
  // RFC 7628, 3.1: anything else would break out of the SASL message. `auth` names the token itself.
  if (config.kafkaOauthExtensions?.some((extension) => !/^(?!auth=)[A-Za-z]+=[\x20-\x7e]+$/.test(extension)))
    return ['KAFKA_OAUTH_EXTENSIONS must contain extensions as name=value, the name in letters only'];
  const names = (config.kafkaOauthExtensions ?? []).map((extension) => extension.split('=', 1)[0]);
  if (new Set(names).size < names.length) return ['KAFKA_OAUTH_EXTENSIONS must contain each name once'];
  if (file !== undefined) return url === undefined ? [] : ['KAFKA_OAUTH_TOKEN_FILE and KAFKA_OAUTH_TOKEN_URL exclude each other: set one'];
  if (url === undefined || config.kafkaOauthClientId === undefined || config.kafkaOauthClientSecret === undefined)
    return [
      'KAFKA_SASL_MECHANISM=oauthbearer needs KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET, or KAFKA_OAUTH_TOKEN_FILE',
    ];
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
    ? []
    : ['KAFKA_OAUTH_TOKEN_URL would receive the client secret in the clear: use https'];
}

/** The problems of the security settings, one sentence each, without values of secrets. */
function problemsOf(config: KafkaConfig): string[] {
  const problems: string[] = [];
  const { kafkaSaslMechanism: mechanism } = config;
  if (/^(plain|scram)/.test(mechanism) && (config.kafkaSaslUsername === undefined || config.kafkaSaslPassword === undefined))
    problems.push('KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD');
  problems.push(...tokenProblems(config), ...unusedProblems(config));
  if ((config.kafkaTlsCertFile === undefined) !== (config.kafkaTlsKeyFile === undefined))
    problems.push('KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE belong together: set both or neither');
  if (config.kafkaTls) return problems;
  for (const [env, file] of [
    ['KAFKA_TLS_CA_FILE', config.kafkaTlsCaFile],
    ['KAFKA_TLS_CERT_FILE', config.kafkaTlsCertFile],
    ['KAFKA_TLS_KEY_FILE', config.kafkaTlsKeyFile],
  ])
    if (file !== undefined) problems.push(`${env} has no effect without KAFKA_TLS=true`);
  if (sendsTokens(config) && !config.kafkaBrokers.every((broker) => isLoopback(hostOf(broker))))
    problems.push(`KAFKA_SASL_MECHANISM=${mechanism} sends the token in the clear: set KAFKA_TLS=true`);
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
