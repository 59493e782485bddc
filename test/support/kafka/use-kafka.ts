import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { Kafka, logLevel } from 'kafkajs';
import { createTopicsAndWait, patchRequestQueue } from '@pulsewire/kafka/client';
import { describe, inject } from 'vitest';
import { findToolchain } from './artifacts.ts';

/** The broker and registry of this run. */
export interface KafkaForTests {
  readonly brokers: readonly string[];
  readonly registryUrl: string;
  readonly sessionTimeoutMinMs: number;
  /** A name that is unique across this and earlier runs. */
  uniqueName(what: string): string;
  /** Creates a topic with a unique name and returns the name. */
  createTopic(options?: { readonly partitions?: number; readonly settings?: Readonly<Record<string, string>> }): Promise<string>;
}

/** `describe` for tests that need a broker (and its registry); skipped, with the reason in the name, when there is none. */
export function describeKafka(name: string, define: (kafka: KafkaForTests) => void): void {
  const place = inject('kafka');
  const reason = place.kind === 'none' ? place.reason : null;
  const kit = place.kind === 'none' ? testKit([], '', 0) : testKit(place.brokers, place.registryUrl ?? '', place.sessionTimeoutMinMs);
  describeUnless(reason, name, () => define(kit));
}

/** `describe` for tests that start their own cluster, which requires Java and Maven. */
export async function describeCluster(name: string, define: () => void): Promise<void> {
  const toolchain = await findToolchain();
  if (!toolchain.ok && inject('isKafkaRequired')) throw new Error(`REQUIRE_KAFKA is set and there is no cluster: ${toolchain.reason}`);
  describeUnless(toolchain.ok ? null : toolchain.reason, name, define);
}

function describeUnless(reason: string | null, name: string, define: () => void): void {
  const suite = reason === null ? describe : describe.skip;
  suite(reason === null ? name : `${name} (skipped: ${reason})`, define);
}

function testKit(brokers: readonly string[], registryUrl: string, sessionTimeoutMinMs: number): KafkaForTests {
  const uniqueName = (what: string) => `test.${what}.${randomBytes(5).toString('hex')}`;
  return {
    brokers,
    registryUrl,
    sessionTimeoutMinMs,
    uniqueName,
    async createTopic(options = {}) {
      const topic = uniqueName('topic');
      await createTopicAt(brokers, topic, options);
      return topic;
    },
  };
}

/** Creates a topic and resolves when its leaders are known. */
export async function createTopicAt(
  brokers: readonly string[],
  topic: string,
  options: {
    readonly partitions?: number;
    readonly replicas?: number;
    readonly assignment?: readonly (readonly number[])[];
    readonly settings?: Readonly<Record<string, string>>;
  } = {},
): Promise<void> {
  const admin = bareKafka(brokers).admin();
  await admin.connect();
  try {
    const { assignment } = options;
    const configEntries = Object.entries(options.settings ?? {}).map(([key, value]) => ({ name: key, value }));
    const shape = assignment
      ? { replicaAssignment: assignment.map((replicas, partition) => ({ partition, replicas: [...replicas] })) }
      : { numPartitions: options.partitions ?? 3, replicationFactor: options.replicas ?? -1 };
    await createTopicsAndWait(admin, [{ topic, configEntries, ...shape }]);
  } finally {
    await admin.disconnect();
  }
}

/** kafkajs with its own defaults, spelled out because it has others when NODE_ENV is `test`, and without its busy loop of timers. */
export function bareKafka(brokers: readonly string[]): Kafka {
  patchRequestQueue();
  return bareClient(Kafka, brokers);
}

/** The same from a second copy of the library, without the patches of this process. */
export function unpatchedKafka(brokers: readonly string[]): Kafka {
  const { cache } = require;
  const patched = Object.entries(cache).filter(([file]) => file.includes('/node_modules/kafkajs/'));
  for (const [file] of patched) delete cache[file];
  try {
    return bareClient((require('kafkajs') as { readonly Kafka: typeof Kafka }).Kafka, brokers);
  } finally {
    Object.assign(cache, Object.fromEntries(patched));
  }
}

const require = createRequire(import.meta.url);

function bareClient(Client: typeof Kafka, brokers: readonly string[]): Kafka {
  return new Client({
    brokers: [...brokers],
    clientId: 'bare',
    logLevel: logLevel.NOTHING,
    connectionTimeout: 5_000,
    retry: { retries: 5, initialRetryTime: 300, maxRetryTime: 30_000, multiplier: 2, factor: 0.2 },
  });
}
