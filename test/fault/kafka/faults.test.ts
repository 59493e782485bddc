import { expect, test } from 'vitest';
import { describeCluster } from '../../support/kafka/use-kafka.ts';
import { runKafkaCampaign } from './campaign.ts';

await describeCluster('kill -9 of brokers, registry, relays, dispatchers and Postgres', () => {
  test('loses nothing sent through Kafka, preserves the order, and recovers without intervention', { timeout: 600_000 }, async () => {
    const result = await runKafkaCampaign({ seconds: 45, seed: 7, killEveryMs: 2500, pauseMs: 30 });
    expect(result).toMatchObject({
      isDrained: true,
      lost: 0,
      unknown: 0,
      differingRows: 0,
      badSignatures: 0,
      changedBodies: 0,
      disorder: 0,
      missingOnKafka: 0,
      differingOnKafka: 0,
    });
    expect(result.committed).toBeGreaterThan(100);
    expect([...result.recoveriesMs.keys()].toSorted()).toEqual(['broker', 'dispatcher', 'postgres', 'registry', 'relay']);
  });
});
