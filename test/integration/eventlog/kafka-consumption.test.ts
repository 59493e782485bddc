import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { createKafkaLog, shardsOf, type ConsumerHandlers } from '@pulsewire/kafka';
import { CollectingSink } from '../../support/collecting-sink.ts';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase({ connectionsMax: 10 });
const partitions = 4;

test('a reader keeps its lease and claims new partitions while a commit hangs', async () => {
  const { promise: hasHandlers, resolve: open } = Promise.withResolvers<ConsumerHandlers>();
  const { promise: hasResponded, resolve: response } = Promise.withResolvers<void>();
  let commits = 0;
  const log = createKafkaLog({
    database: file.current,
    source: {
      partitions: async () => partitions,
      async open(_groupId, handlers) {
        open(handlers);
        return {
          commit: () => (++commits > 1 ? Promise.resolve() : hasResponded),
          resume() {},
          stop: async () => {},
        };
      },
    },
    registry: { schemaOf: () => Promise.reject(new Error('not needed')) },
    groupPrefix: '',
    logger: silentLogger,
    metrics: noMetrics,
    leaseMs: 1_000,
  });
  const sink = new CollectingSink(file.current);
  const consumption = await log.consume({ group: 'slow-commits', memberId: randomUUID(), from: 'end', sink });
  const { onAssigned, onBatch } = await hasHandlers;
  onAssigned([0]);
  await expect.poll(() => consumption.owned().length).toBe(shardsOf(0, partitions).length);
  // A record of a shard that this member does not own: nothing to hand to the sink, but an offset to commit.
  const headers = { shard: String(shardsOf(1, partitions)[0]), sequence: '0', day: '2026-01-01' };
  onBatch(0, [{ offset: 0n, value: null, headers }]);
  await expect.poll(() => commits).toBe(1);
  onAssigned([1]);
  await expect.poll(() => consumption.owned().length).toBe(shardsOf(0, partitions).length + shardsOf(1, partitions).length);
  expect(commits).toBe(1);
  expect(sink.revokedShards).toEqual([]);
  response();
  await consumption.stop();
});
