import { silentLogger, sleep } from '@pulsewire/kernel';
import { connectionOf, createGuardedConsumer, createKafkaClient, headOf, markerKey, type KafkaConfig } from '@pulsewire/kafka';

const quietMs = 3000;

/** Reads a compacted topic to its end: the number of keys, and of keys with a last record older than a preceding one. */
export async function readStates(config: KafkaConfig, topic: string): Promise<{ readonly keys: number; readonly stale: number }> {
  const keys = new Map<string, { last: number; highest: number }>();
  const client = createKafkaClient(await connectionOf(config), { logger: silentLogger });
  let quietSince = performance.now();
  let isAssigned = false;
  const consumer = createGuardedConsumer(client, {
    groupId: `states.${topic}.${Date.now()}`,
    topic,
    onAssigned() {
      isAssigned = true;
      quietSince = performance.now();
    },
    onRevoked() {},
    capacity: () => true,
    onBatch(_partition, messages) {
      quietSince = performance.now();
      for (const { key, headers } of messages) {
        const sequence = headOf(headers)?.head.offset ?? -1;
        if (String(key) === markerKey) continue;
        const highest = Math.max(sequence, keys.get(String(key))?.highest ?? -1);
        keys.set(String(key), { last: sequence, highest });
      }
    },
  });
  while (!isAssigned || performance.now() - quietSince < quietMs) await sleep(100);
  await consumer.stop();
  await client.close();
  return { keys: keys.size, stale: [...keys.values()].filter(({ last, highest }) => last !== highest).length };
}
