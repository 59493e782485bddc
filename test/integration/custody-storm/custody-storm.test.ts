import { describe, expect, it } from 'vitest';
import { runStorm } from '../../fault/custody/campaign.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const storm = { seconds: 1, killsMin: 3, processes: 2, workers: 64, connections: 24 };
const nothingWrong = { falseRevocations: 0, overlaps: 0, unstored: 0, usedDead: 0, unexplained: 0 };

describe('64 workers that refresh the same connections while their processes are killed', () => {
  it('storms of refreshes revoke no consent, and recover pairs that the provider repeats', { timeout: 120_000 }, async () => {
    const result = await runStorm({ ...storm, databaseUrl: database.url, seed: 11, graceMs: 600_000 });
    expect(result, JSON.stringify(result)).toMatchObject({
      ...nothingWrong,
      trueRevocations: '2 of 2, 2 events',
      unclear: 0,
      working: 22,
    });
    expect(result.kills).toBeGreaterThanOrEqual(3);
  });
});

describe('64 such workers at a provider with single-use refresh tokens', () => {
  const strict = useDatabase();

  it('revokes no connection, even when its pair was lost with a process', { timeout: 120_000 }, async () => {
    const result = await runStorm({ ...storm, databaseUrl: strict.url, seed: 12, graceMs: 0 });
    expect(result, JSON.stringify(result)).toMatchObject(nothingWrong);
    // Single-use tokens may leave only one pair that is certain enough to judge its revocation.
    expect(result.trueRevocations).toMatch(/^([12]) of \1, \1 events$/);
    expect(result.working + result.unclear).toBe(storm.connections - Number(result.trueRevocations[0]));
    expect(result.working).toBeGreaterThan(0);
  });
});
