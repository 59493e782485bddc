import { dayMs, hourMs } from '@pulsewire/kernel';
import { firstShardCount, shardsOfUser } from '@pulsewire/eventlog';
import type { KafkaConfig } from '../config/kafka-config.ts';

/** The required settings of a topic. */
export interface Topic {
  readonly name: string;
  readonly partitions: number;
  readonly replication: number;
  readonly configs: Readonly<Record<string, string>>;
  /** What the record key is. */
  readonly key: string;
}

/** Names of the topics under a prefix. */
export function topicNames(prefix: string): { readonly events: string; readonly summaries: string; readonly connections: string } {
  return { events: `${prefix}events`, summaries: `${prefix}summaries`, connections: `${prefix}connections` };
}

/** The partition of a shard: determined by the shard, so that a partition contains whole shards and a user's events stay in order. */
export function partitionOf(shard: number, partitions: number): number {
  return shard % partitions;
}

/** Every partition that may hold a user's events, including those used while the log had fewer shards. */
export function partitionsOfUser(userId: string, partitions: number): readonly number[] {
  return [...new Set(shardsOfUser(userId, Math.max(firstShardCount, partitions)).map((shard) => partitionOf(shard, partitions)))];
}

/** The shards in a partition, in a log of this many shards. */
export function shardsOf(partition: number, partitions: number, shardCount: number = firstShardCount): readonly number[] {
  return Array.from({ length: shardCount }, (_, shard) => shard).filter((shard) => partitionOf(shard, partitions) === partition);
}

/** Every topic that the relay writes to. */
export function topicCatalogue(
  config: Pick<KafkaConfig, 'kafkaTopicPrefix' | 'kafkaPartitions' | 'kafkaReplication' | 'kafkaRetentionHours'>,
): readonly Topic[] {
  const names = topicNames(config.kafkaTopicPrefix);
  const size = { partitions: config.kafkaPartitions, replication: config.kafkaReplication };
  // A write survives the loss of one broker, and the loss of one broker does not stop writes.
  const durable = {
    'min.insync.replicas': config.kafkaReplication >= 3 ? '2' : '1',
    'unclean.leader.election.enable': 'false',
    // Brokers keep what the relay sent. Their own default may be a codec that a reader does not know.
    'compression.type': 'producer',
  };
  const state = {
    ...durable,
    'cleanup.policy': 'compact',
    // The open segment is never compacted, so it is closed every hour; an old value is kept for at most a day.
    'segment.ms': String(hourMs),
    'max.compaction.lag.ms': String(dayMs),
    'delete.retention.ms': String(dayMs),
  };
  return [
    {
      name: names.events,
      ...size,
      configs: {
        ...durable,
        'cleanup.policy': 'delete',
        'retention.ms': String(config.kafkaRetentionHours * hourMs),
        'segment.ms': String(dayMs),
      },
      key: 'user id; team id for events without a user',
    },
    { name: names.summaries, ...size, configs: state, key: 'summary id' },
    { name: names.connections, ...size, configs: state, key: 'user id and provider slug, with a colon between' },
  ];
}
