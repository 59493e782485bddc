/** How the processes reach Kafka and its registry; to be spread into the settings of a service. Without `KAFKA_BROKERS` nothing of it is used. */
export const kafkaConfig = {
  kafkaBrokers: {
    env: 'KAFKA_BROKERS',
    type: 'list',
    default: [],
    defaultText: 'none',
    description: 'Kafka brokers, host:port. None: the log stays in Postgres alone.',
  },
  schemaRegistryUrl: {
    env: 'SCHEMA_REGISTRY_URL',
    type: 'url',
    optional: true,
    secret: true,
    description: 'Confluent-compatible schema registry; needed with KAFKA_BROKERS.',
  },
  kafkaTls: { env: 'KAFKA_TLS', type: 'boolean', default: false, description: 'Whether to talk TLS to the brokers.' },
  kafkaTlsCaFile: {
    env: 'KAFKA_TLS_CA_FILE',
    type: 'string',
    optional: true,
    description: 'Certificates (PEM) that the brokers are checked against; the system’s when not given.',
  },
  kafkaTlsCertFile: {
    env: 'KAFKA_TLS_CERT_FILE',
    type: 'string',
    optional: true,
    description: 'Client certificate (PEM) for brokers that ask for one (mTLS); needs KAFKA_TLS_KEY_FILE.',
  },
  kafkaTlsKeyFile: {
    env: 'KAFKA_TLS_KEY_FILE',
    type: 'string',
    optional: true,
    description: 'Private key (PEM, not encrypted) of the client certificate.',
  },
  kafkaSaslMechanism: {
    env: 'KAFKA_SASL_MECHANISM',
    type: 'enum',
    values: ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    default: 'none',
    description: 'How to log in at the brokers.',
  },
  kafkaSaslPlainWithoutTls: {
    env: 'KAFKA_SASL_PLAIN_WITHOUT_TLS',
    type: 'boolean',
    default: false,
    description: 'Allows KAFKA_SASL_MECHANISM=plain without KAFKA_TLS when every broker is on a loopback address.',
  },
  kafkaSaslUsername: { env: 'KAFKA_SASL_USERNAME', type: 'string', optional: true, description: 'User name at the brokers.' },
  kafkaSaslPassword: { env: 'KAFKA_SASL_PASSWORD', type: 'string', optional: true, secret: true, description: 'Password at the brokers.' },
  kafkaClientId: {
    env: 'KAFKA_CLIENT_ID',
    type: 'string',
    default: 'pulsewire',
    description: 'Name of this client in the logs of the brokers.',
  },
  kafkaTopicPrefix: {
    env: 'KAFKA_TOPIC_PREFIX',
    type: 'string',
    default: 'pulsewire.',
    description: 'First part of the names of topics and groups.',
  },
  kafkaPartitions: {
    env: 'KAFKA_PARTITIONS',
    type: 'integer',
    default: 16,
    min: 1,
    max: 4096,
    description: 'Partitions of a new topic; best a divisor of 64. From 64 on it can be raised together with the shards.',
  },
  kafkaReplication: {
    env: 'KAFKA_REPLICATION',
    type: 'integer',
    default: 3,
    min: 1,
    max: 9,
    description: 'Copies of each partition of a new topic.',
  },
  kafkaCompression: {
    env: 'KAFKA_COMPRESSION',
    type: 'enum',
    values: ['gzip', 'none'],
    default: 'gzip',
    description: 'Compression of what the relay publishes; every client reads gzip.',
  },
  kafkaRetentionHours: {
    env: 'KAFKA_EVENT_RETENTION_HOURS',
    type: 'integer',
    default: 120,
    min: 1,
    max: 144,
    unit: 'h',
    description: 'How long the event topic keeps events; with the day until a segment is deleted below the 7 days until an erasure.',
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
  readonly kafkaSaslMechanism: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512';
  /** Default: false. */
  readonly kafkaSaslPlainWithoutTls?: boolean;
  readonly kafkaSaslUsername: string | undefined;
  readonly kafkaSaslPassword: string | undefined;
  readonly kafkaClientId: string;
  readonly kafkaTopicPrefix: string;
  readonly kafkaPartitions: number;
  readonly kafkaReplication: number;
  readonly kafkaRetentionHours: number;
}
