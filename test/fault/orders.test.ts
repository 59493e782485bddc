import { expect, test } from 'vitest';
import { runOrderCampaign } from './orders/campaign.ts';

test('kill -9 of any process or partner leaves no order or booking duplicated, lost or unexplained', { timeout: 240_000 }, async () => {
  const result = await runOrderCampaign({ seconds: 8, seed: 7, killEveryMs: 1500, clients: 3 });
  expect(result).toMatchObject({ faults: [], deaths: [], isDrained: true, lost: 0 });
  expect(result.observed.booked).toBeGreaterThan(2);
  expect(result.observed.kits).toBeGreaterThan(0);
  // The scheduling company, the lab company, two APIs, two labs processes, the dispatcher, Postgres.
  expect(Object.keys(result.kills)).toHaveLength(8);
});
