import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { noMetrics, type Logger } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { createPostgresLog, type EventLog } from '@pulsewire/eventlog';

/** The log that dispatchers read in this run: Kafka with `LOG=kafka`, otherwise Postgres. */
export interface TestLog {
  /** Creates the log of one dispatcher. */
  create(options: { readonly database: Database; readonly logger: Logger; readonly leaseMs?: number }): EventLog;
  /** Settings for services that run as separate processes. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Why the log of this run is unavailable, or null. */
export function missingLog(): string | null {
  if (inject('log') === 'postgres') return null;
  const place = inject('kafka');
  return place.kind === 'none' ? place.reason : null;
}

/** Opens the log of this run over a database. On Kafka it creates topics and runs a relay that fills them. */
export async function openTestLog(database: Database): Promise<TestLog> {
  if (inject('log') === 'postgres') {
    return { create: (options) => createPostgresLog({ ...options, metrics: noMetrics }), env: {}, close: async () => {} };
  }
  // Imported only here, because kafkajs and the registry client are slow to load.
  const { openKafkaTestLog } = await import('./kafka/kafka-test-log.ts');
  return openKafkaTestLog(database, inject('kafka'));
}

/** Settings that point an installation at the brokers of this run; empty with the log on Postgres. `prefix` is made unique. */
export function kafkaEnv(prefix: string): Readonly<Record<string, string>> {
  if (inject('log') === 'postgres') return {};
  const place = inject('kafka');
  if (place.kind === 'none' || place.registryUrl === null) throw new Error('LOG=kafka needs brokers and a registry');
  return {
    KAFKA_BROKERS: place.brokers.join(','),
    SCHEMA_REGISTRY_URL: place.registryUrl,
    KAFKA_TOPIC_PREFIX: `${prefix}${randomBytes(5).toString('hex')}.`,
    KAFKA_REPLICATION: '1',
  };
}
