import { sleep } from '@pulsewire/kernel';
import type { Admin, ITopicConfig, ITopicMetadata } from 'kafkajs';
import { kafkaUnavailable } from './kafka-error.ts';
import type { KafkaClient } from './kafka-client.ts';
import { withKafkaDeadline } from './with-kafka-deadline.ts';

const adminTimeoutMs = 20_000;
const leadersWithinMs = 10_000;

/** Runs the work on its own admin connection, with a deadline. Throws AppError `kafka_unavailable`. */
export async function withAdmin<T>(client: KafkaClient, what: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const handle = client.admin();
  const connectAndWork = async () => {
    await handle.api.connect();
    return work(handle.api);
  };
  try {
    return await withKafkaDeadline(adminTimeoutMs, connectAndWork());
  } catch (cause) {
    throw kafkaUnavailable(what, cause);
  } finally {
    await handle.close(1_000);
  }
}

/** Id of the cluster; empty if the brokers do not report one. Throws AppError `kafka_unavailable`. */
export async function readClusterId(client: KafkaClient): Promise<string> {
  return withAdmin(client, 'could not describe the cluster', async (admin) => {
    const { clusterId } = (await admin.describeCluster()) as { clusterId: string | null };
    return clusterId ?? '';
  });
}

/** Offset that the group has committed for each partition. */
export async function readCommitted(client: KafkaClient, groupId: string, topic: string): Promise<Map<number, bigint>> {
  return withAdmin(client, 'could not read committed offsets', (admin) => committedOf(admin, groupId, topic));
}

async function committedOf(admin: Admin, groupId: string, topic: string): Promise<Map<number, bigint>> {
  const topics = await admin.fetchOffsets({ groupId, topics: [topic] });
  const partitions = topics.flatMap((each) => each.partitions);
  // -1: nothing committed yet; -2: kafkajs commits that ("from the beginning") after an out-of-range error.
  return new Map(partitions.filter(({ offset }) => !offset.startsWith('-')).map(({ partition, offset }) => [partition, BigInt(offset)]));
}

/** First and next offset of each partition of a topic. */
export async function readTopicEnds(
  client: KafkaClient,
  topic: string,
): Promise<Map<number, { readonly first: bigint; readonly next: bigint }>> {
  const ends = await withAdmin(client, 'could not read topic offsets', (admin) => admin.fetchTopicOffsets(topic));
  return new Map(ends.map(({ partition, low, high }) => [partition, { first: BigInt(low), next: BigInt(high) }]));
}

/** First and next offset of a partition, the offset committed by a group, and the leading broker. */
export interface PartitionOffsets {
  readonly first: bigint;
  readonly next: bigint;
  readonly committed: bigint | undefined;
  readonly leader: number | undefined;
}

/** Offsets of each partition of a topic for a group. Throws AppError `kafka_unavailable`. */
export async function readPartitionOffsets(client: KafkaClient, groupId: string, topic: string): Promise<Map<number, PartitionOffsets>> {
  return withAdmin(client, 'could not read partition offsets', async (admin) => {
    const ends = await admin.fetchTopicOffsets(topic);
    const committed = await committedOf(admin, groupId, topic);
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const leaders = new Map(topics.flatMap(({ partitions }) => partitions).map(({ partitionId, leader }) => [partitionId, leader]));
    return new Map(
      ends.map(({ partition, low, high }) => [
        partition,
        { first: BigInt(low), next: BigInt(high), committed: committed.get(partition), leader: leaders.get(partition) },
      ]),
    );
  });
}

/**
 * Creates topics and resolves when clients can find a leader for each partition. kafkajs' own `waitForLeaders` fails when a broker does not
 * know the topic yet, which sometimes happens right after its creation.
 */
export async function createTopicsAndWait(admin: Admin, topics: readonly ITopicConfig[]): Promise<void> {
  await admin.createTopics({ waitForLeaders: false, topics: [...topics] });
  const names = topics.map(({ topic }) => topic);
  const deadline = performance.now() + leadersWithinMs;
  for (;;) {
    const found = await admin.fetchTopicMetadata({ topics: names }).catch((cause: unknown) => cause);
    if (isLed(found)) return;
    if (performance.now() > deadline) throw kafkaUnavailable('a new topic has no leaders yet', found);
    await sleep(100);
  }
}

function isLed(found: unknown): boolean {
  if (typeof found !== 'object' || found === null || !('topics' in found)) return false;
  const { topics } = found as { topics: readonly ITopicMetadata[] };
  return topics.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0));
}
