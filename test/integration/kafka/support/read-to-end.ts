import { expect } from 'vitest';
import { createGuardedConsumer, type KafkaClient } from '@pulsewire/kafka';
import { readTopicEnds, type KafkaMessage } from '@pulsewire/kafka/client';

/** Every record in a topic at the time of the call, in order within a partition; the topic must hold at least one. */
export async function readToEnd(client: KafkaClient, topic: string, groupId: string): Promise<readonly KafkaMessage[]> {
  const seen: KafkaMessage[] = [];
  const next = new Map<number, bigint>();
  const consumer = createGuardedConsumer(client, {
    groupId,
    topic,
    onAssigned() {},
    onRevoked() {},
    capacity: () => true,
    onBatch(partition, messages) {
      for (const message of messages) {
        next.set(partition, message.offset + 1n);
        seen.push({ ...message, key: message.key && Buffer.from(message.key), value: message.value && Buffer.from(message.value) });
      }
    },
  });
  // The newest record of a partition is in its open segment, which is never compacted.
  const ends = [...(await readTopicEnds(client, topic))].filter(([, end]) => end.next > end.first);
  const isAtEnd = () => ends.length > 0 && ends.every(([partition, end]) => (next.get(partition) ?? 0n) >= end.next);
  await expect.poll(isAtEnd, { timeout: 60_000 }).toBe(true);
  await consumer.stop();
  return seen;
}
