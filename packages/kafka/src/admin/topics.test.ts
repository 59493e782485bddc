import { randomUUID } from 'node:crypto';
import { shardCountMax, shardsOfUser } from '@pulsewire/eventlog';
import { expect, it } from 'vitest';
import { assertReshardable } from './prepare-kafka.ts';
import { partitionOf, partitionsOfUser } from '../records/topics.ts';

const users = Array.from({ length: 200 }, () => randomUUID());

it.each([1, 2, 4, 8, 16, 32, 64])('keeps a user in one of %i partitions however often the shards are doubled', (partitions) => {
  for (const userId of users)
    expect(new Set(shardsOfUser(userId, shardCountMax).map((shard) => partitionOf(shard, partitions))).size).toBe(1);
});

it.each([16, 64, 128, 256])('covers each of %i partitions that a user may move to', (partitions) => {
  expect(() => assertReshardable(partitions)).not.toThrow();
  for (const userId of users)
    for (const shard of shardsOfUser(userId, shardCountMax))
      expect(partitionsOfUser(userId, partitions)).toContain(partitionOf(shard, partitions));
});

it.each([3, 48, 96, 100])('rejects more shards with %i partitions', (partitions) => {
  expect(() => assertReshardable(partitions)).toThrow(expect.objectContaining({ code: 'partitions_unfit' }));
});
