import { sleep } from '@pulsewire/kernel';
import type { Admin, ITopicConfig, ITopicMetadata } from 'kafkajs';
import { kafkaUnavailable } from './kafka-error.ts';
import type { KafkaClient } from './kafka-client.ts';
import { within } from './within.ts';

const adminTimeoutMs = 20_000;
const leadersWithinMs = 10_000;

/** Does the work with an admin connection of its own, bounded in time. Throws AppError `kafka_unavailable`. */
export async function withAdmin<T>(client: KafkaClient, what: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const handle = client.admin();
  const connectAndWork = async () => {
    await handle.api.connect();
    return work(handle.api);
  };
  try {
    return await within(adminTimeoutMs, connectAndWork());
  } catch (cause) {
    throw kafkaUnavailable(what, cause);
  } finally {
    await handle.close(1_000);
  }
}

/** Id of the cluster, the same at each broker; empty where the brokers do not tell. Throws AppError `kafka_unavailable`. */
export async function readClusterId(client: KafkaClient): Promise<string> {
  return withAdmin(client, 'the cluster', async (admin) => {
    const { clusterId } = (await admin.describeCluster()) as { clusterId: string | null };
    return clusterId ?? '';
  });
}

/** Next offset to read of each partition that the group has committed. */
export async function readCommitted(client: KafkaClient, groupId: string, topic: string): Promise<Map<number, bigint>> {
  return withAdmin(client, 'committed offsets', (admin) => committedOf(admin, groupId, topic));
}

async function committedOf(admin: Admin, groupId: string, topic: string): Promise<Map<number, bigint>> {
  const topics = await admin.fetchOffsets({ groupId, topics: [topic] });
  const partitions = topics.flatMap((each) => each.partitions);
  // -1: nothing committed yet; -2: kafkajs commits that, "from the beginning", when it was sent out of range.
  return new Map(partitions.filter(({ offset }) => !offset.startsWith('-')).map(({ partition, offset }) => [partition, BigInt(offset)]));
}

/** First and next offset of each partition of a topic. */
export async function readTopicEnds(
  client: KafkaClient,
  topic: string,
): Promise<Map<number, { readonly first: bigint; readonly next: bigint }>> {
  const ends = await withAdmin(client, 'ends of a topic', (admin) => admin.fetchTopicOffsets(topic));
  return new Map(ends.map(({ partition, low, high }) => [partition, { first: BigInt(low), next: BigInt(high) }]));
}

/** Where a partition stands: its first and next offset, the group's committed one, and the broker that leads it. */
export interface Standing {
  readonly first: bigint;
  readonly next: bigint;
  readonly committed: bigint | undefined;
  readonly leader: number | undefined;
}

/** Where each partition of a topic stands for a group. Throws AppError `kafka_unavailable`. */
export async function readStanding(client: KafkaClient, groupId: string, topic: string): Promise<Map<number, Standing>> {
  return withAdmin(client, 'the standing of a group', async (admin) => {
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
 * Makes topics and resolves when each partition has a leader that clients can find. kafkajs' own `waitForLeaders` fails
 * where a broker has not heard of the topic yet, which happens now and then just after the controller made it.
 */
export async function createTopicsAndWait(admin: Admin, topics: readonly ITopicConfig[]): Promise<void> {
  await admin.createTopics({ waitForLeaders: false, topics: [...topics] });
  const names = topics.map(({ topic }) => topic);
  const deadline = performance.now() + leadersWithinMs;
  for (;;) {
    const found = await admin.fetchTopicMetadata({ topics: names }).catch((cause: unknown) => cause);
    if (isLed(found)) return;
    if (performance.now() > deadline) throw kafkaUnavailable('leaders of a new topic', found);
    await sleep(100);
  }
}

function isLed(found: unknown): boolean {
  if (typeof found !== 'object' || found === null || !('topics' in found)) return false;
  const { topics } = found as { topics: readonly ITopicMetadata[] };
  return topics.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0));
}
