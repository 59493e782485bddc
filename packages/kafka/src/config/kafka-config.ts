import { Type } from 'typebox';

/**
 * How the processes reach Kafka and its registry; to be spread into the settings of a service. Without `KAFKA_BROKERS` none of them is
 * used.
 */
export const kafkaConfig = {
  kafkaBrokers: {
    env: 'KAFKA_BROKERS',
    schema: Type.Array(Type.String({ format: 'broker' }), { default: [] }),
    defaultText: 'none',
    description: 'Kafka brokers, host:port. None: the log is only in Postgres.',
  },
  schemaRegistryUrl: {
    env: 'SCHEMA_REGISTRY_URL',
    schema: Type.Optional(Type.String({ format: 'registry-url' })),
    secret: true,
    description: 'Confluent-compatible schema registry; needed with KAFKA_BROKERS.',
  },
  kafkaTls: { env: 'KAFKA_TLS', schema: Type.Boolean({ default: false }), description: 'Whether to connect to the brokers over TLS.' },
  kafkaTlsCaFile: {
    env: 'KAFKA_TLS_CA_FILE',
    schema: Type.Optional(Type.String()),
    description: "Certificates (PEM) that verify the brokers; default: the system's.",
  },
  kafkaTlsCertFile: {
    env: 'KAFKA_TLS_CERT_FILE',
    schema: Type.Optional(Type.String()),
    description: 'Client certificate (PEM) for brokers that require one (mTLS); needs KAFKA_TLS_KEY_FILE.',
  },
  kafkaTlsKeyFile: {
    env: 'KAFKA_TLS_KEY_FILE',
    schema: Type.Optional(Type.String()),
    description: 'Private key (PEM, not encrypted) of the client certificate.',
  },
  kafkaSaslMechanism: {
    env: 'KAFKA_SASL_MECHANISM',
    schema: Type.Enum(['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer', 'aws-msk-iam'], { default: 'none' }),
    description: 'How to authenticate with the brokers.',
  },
  kafkaSaslPlainWithoutTls: {
    env: 'KAFKA_SASL_PLAIN_WITHOUT_TLS',
    schema: Type.Boolean({ default: false }),
    description: 'Allows KAFKA_SASL_MECHANISM=plain without KAFKA_TLS when every broker is on a loopback address.',
  },
  kafkaSaslUsername: { env: 'KAFKA_SASL_USERNAME', schema: Type.Optional(Type.String()), description: 'SASL user name.' },
  kafkaSaslPassword: {
    env: 'KAFKA_SASL_PASSWORD',
    schema: Type.Optional(Type.String()),
    secret: true,
    description: 'SASL password.',
  },
  kafkaOauthTokenUrl: {
    env: 'KAFKA_OAUTH_TOKEN_URL',
    schema: Type.Optional(Type.String({ format: 'http-url' })),
    description: 'Token endpoint for KAFKA_SASL_MECHANISM=oauthbearer (client credentials grant).',
  },
  kafkaOauthClientId: {
    env: 'KAFKA_OAUTH_CLIENT_ID',
    schema: Type.Optional(Type.String()),
    description: 'Client id at the token endpoint.',
  },
  kafkaOauthClientSecret: {
    env: 'KAFKA_OAUTH_CLIENT_SECRET',
    schema: Type.Optional(Type.String()),
    secret: true,
    description: 'Client secret at the token endpoint.',
  },
  kafkaOauthScope: {
    env: 'KAFKA_OAUTH_SCOPE',
    schema: Type.Optional(Type.String()),
    description: 'Scope to request at the token endpoint.',
  },
  kafkaOauthTokenFile: {
    env: 'KAFKA_OAUTH_TOKEN_FILE',
    schema: Type.Optional(Type.String()),
    description: 'File with the token, instead of KAFKA_OAUTH_TOKEN_URL; read at each connection.',
  },
  kafkaOauthExtensions: {
    env: 'KAFKA_OAUTH_EXTENSIONS',
    schema: Type.Array(Type.String(), { default: [] }),
    defaultText: 'none',
    description:
      'SASL extensions that the brokers require beside the token, as name=value: logicalCluster and identityPoolId at Confluent Cloud.',
  },
  kafkaAwsRegion: {
    env: 'KAFKA_AWS_REGION',
    schema: Type.Optional(Type.String()),
    description: "Region of the cluster for KAFKA_SASL_MECHANISM=aws-msk-iam; credentials are found as usual for AWS's SDK.",
  },
  kafkaClientId: {
    env: 'KAFKA_CLIENT_ID',
    schema: Type.String({ default: 'pulsewire' }),
    description: "Name of this client in the brokers' logs.",
  },
  kafkaTopicPrefix: {
    env: 'KAFKA_TOPIC_PREFIX',
    schema: Type.Refine(
      Type.String({ default: 'pulsewire.' }),
      (text) => /^[\w.-]{1,200}$/.test(text),
      () => 'at most 200 letters, digits, dots, dashes and underscores, because names of topics consist of these',
    ),
    description: 'Prefix of the names of topics and groups.',
  },
  kafkaPartitions: {
    env: 'KAFKA_PARTITIONS',
    schema: Type.Integer({ minimum: 1, maximum: 4096, default: 16 }),
    description: 'Partitions of a new topic; preferably a divisor of 64. From 64 on it can be raised together with the shards.',
  },
  kafkaReplication: {
    env: 'KAFKA_REPLICATION',
    schema: Type.Integer({ minimum: 1, maximum: 9, default: 3 }),
    description: 'Replicas of each partition of a new topic.',
  },
  kafkaCompression: {
    env: 'KAFKA_COMPRESSION',
    schema: Type.Enum(['gzip', 'none'], { default: 'gzip' }),
    description: 'Compression of published records; every client can read gzip.',
  },
  kafkaRetentionHours: {
    env: 'KAFKA_EVENT_RETENTION_HOURS',
    schema: Type.Integer({ minimum: 1, maximum: 144, default: 120 }),
    unit: 'h',
    description:
      'How long the event topic keeps events. At most 144, because a segment is deleted up to a day later and an erasure is due after 7 days.',
  },
} as const;

/** The settings of `kafkaConfig` as they are after loading. */
export interface KafkaConfig {
  readonly kafkaBrokers: readonly string[];
  readonly schemaRegistryUrl: string | undefined;
  readonly kafkaTls: boolean;
  readonly kafkaTlsCaFile: string | undefined;
  readonly kafkaTlsCertFile?: string | undefined;
  readonly kafkaTlsKeyFile?: string | undefined;
  readonly kafkaSaslMechanism: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | 'oauthbearer' | 'aws-msk-iam';
  /** Default: false. */
  readonly kafkaSaslPlainWithoutTls?: boolean;
  readonly kafkaSaslUsername: string | undefined;
  readonly kafkaSaslPassword: string | undefined;
  readonly kafkaOauthTokenUrl?: string | undefined;
  readonly kafkaOauthClientId?: string | undefined;
  readonly kafkaOauthClientSecret?: string | undefined;
  readonly kafkaOauthScope?: string | undefined;
  readonly kafkaOauthTokenFile?: string | undefined;
  readonly kafkaOauthExtensions?: readonly string[];
  readonly kafkaAwsRegion?: string | undefined;
  readonly kafkaClientId: string;
  readonly kafkaTopicPrefix: string;
  readonly kafkaPartitions: number;
  readonly kafkaReplication: number;
  readonly kafkaRetentionHours: number;
}
