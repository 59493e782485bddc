import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';

test('kill -9 of any process under load loses no committed change, and repeats carry the same id', { timeout: 200_000 }, async () => {
  const result = await runCampaign({ seconds: 16, seed: 7, killEveryMs: 1500, pauseMs: 15 });
  expect(result).toMatchObject({
    isDrained: true,
    lost: 0,
    unknown: 0,
    differingRows: 0,
    badSignatures: 0,
    changedBodies: 0,
    brokenConnections: 0,
    deaths: [],
    ordered: { lost: 0, unknown: 0, disorder: 0, overtaken: 0, changedBodies: 0 },
  });
  expect(result.committed).toBeGreaterThan(100);
  // api, ingest, scheduler, two dispatchers, the writer, Postgres.
  expect(Object.keys(result.kills)).toHaveLength(7);
});
