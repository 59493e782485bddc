import { describe, expect, it } from 'vitest';
import { runStorm } from '../../fault/custody/campaign.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const storm = { seconds: 1, killsMin: 3, processes: 2, workers: 64, connections: 24 };
const nothingWrong = { falseRevocations: 0, overlaps: 0, unstored: 0, usedDead: 0, unexplained: 0, trueRevocations: '2 of 2, 2 events' };

describe('64 workers that refresh the same connections while their processes are killed', () => {
  it('revoke nobody who consents, and get every pair back from a provider that repeats it', { timeout: 120_000 }, async () => {
    const result = await runStorm({ ...storm, databaseUrl: database.url, seed: 11, graceMs: 600_000 });
    expect(result, JSON.stringify(result)).toMatchObject({ ...nothingWrong, unclear: 0, working: 22 });
    expect(result.kills).toBeGreaterThanOrEqual(3);
  });
});

describe('the same at a provider whose refresh tokens work once', () => {
  const strict = useDatabase();

  it('calls no connection dead, also those whose pair went down with a process', { timeout: 120_000 }, async () => {
    const result = await runStorm({ ...storm, databaseUrl: strict.url, seed: 12, graceMs: 0 });
    expect(result, JSON.stringify(result)).toMatchObject(nothingWrong);
    expect(result.working + result.unclear).toBe(22);
    expect(result.working).toBeGreaterThan(0);
  });
});
