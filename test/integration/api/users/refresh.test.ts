import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { createIngest, planUserRefresh, readRefresh } from '@pulsewire/ingest';
import { providerError } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, today, type Harness } from '../../ingest/support/harness.ts';
import { createApiHarness, idleIngest, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const clock = createManualClock(new Date(`${today}T09:00:00Z`));
let harness: Harness;
let apiHarness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createHarness(database.current);
  const { connector } = harness.wristband;
  apiHarness = await createApiHarness(database.current, {
    connectors: [connector],
    overrides: {
      clock,
      ingest: {
        ...idleIngest,
        refresh: {
          plan: (tx, connectionId) => planUserRefresh({ ...harness.plan, clock }, tx, connectionId),
          read: (windowIds) => readRefresh(database.current, clock, windowIds),
        },
      },
    },
  });
  caller = await apiHarness.newCaller();
});
afterAll(async () => {
  await apiHarness.close();
  await harness.close();
});
beforeEach(() => {
  harness.wristband.onCall = () => {};
});

/** A linked user of the caller whose data was pulled up to now. */
async function linked() {
  const user = await harness.link({ teamId: caller.team.teamId });
  await ingest().drain();
  return user;
}
const ingest = () => createIngest({ ...harness.options, clock });
const refresh = (userId: string, query = '') => caller.call('POST', `/v2/user/refresh/${userId}${query}`);

describe('POST /v2/user/refresh/{user_id}', () => {
  it('pulls everything immediately, and responds when all pulls have ended', async () => {
    const { userId } = await linked();
    const before = harness.wristband.calls.length;
    const requested = refresh(userId);
    await expect
      .poll(async () => (await database.current.sql`SELECT 1 FROM pull_windows WHERE user_id = ${userId} AND state = 'planned'`).length)
      .toBeGreaterThan(0);
    await ingest().drain();
    const { status, body } = await requested;
    expect([status, body.success, body.user_id, body.refreshed_sources.toSorted()]).toEqual([
      200,
      true,
      userId,
      ['wristband/distance', 'wristband/steps', 'wristband/weight'],
    ]);
    expect([body.in_progress_sources, body.failed_sources]).toEqual([[], []]);
    expect(harness.wristband.calls.length).toBeGreaterThan(before);
  });

  it('responds with 202 and the sources still in progress at the timeout', async () => {
    const { userId } = await linked();
    const { status, body } = await refresh(userId, '?timeout=5');
    expect([status, body.refreshed_sources, body.in_progress_sources.length]).toEqual([202, [], 3]);
  });

  it('lists the failed sources without waiting for their retries', async () => {
    const { userId } = await linked();
    harness.wristband.onCall = ({ path }) => {
      if (path.startsWith('/scales')) throw providerError('provider_transient', { status: 503 });
    };
    const requested = refresh(userId, '?timeout=60');
    await expect
      .poll(async () => (await database.current.sql`SELECT 1 FROM pull_windows WHERE user_id = ${userId} AND state = 'planned'`).length)
      .toBeGreaterThan(0);
    await ingest().drain();
    const { status, body } = await requested;
    expect([status, body.failed_sources, body.refreshed_sources.toSorted()]).toEqual([
      200,
      ['wristband/weight'],
      ['wristband/distance', 'wristband/steps'],
    ]);
  });

  it('rejects a user without connections, or with only failed or paused ones', async () => {
    const { user_id: lonely } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
    const none = await refresh(lonely);
    expect([none.status, none.body]).toEqual([
      400,
      { success: false, user_id: lonely, error: 'This user has no connections', failed_sources: [] },
    ]);
    const { userId, connectionId } = await linked();
    await database.current
      .sql`UPDATE connections SET status = 'error', error_type = 'unknown', errored_at = now() WHERE connection_id = ${connectionId}`;
    const errored = await refresh(userId);
    expect([errored.status, errored.body.success, errored.body.failed_sources.length]).toEqual([400, false, 3]);
    expect(errored.body.error).toBe('Every connection of this user must be linked again');
    await database.current.sql`UPDATE connections SET status = 'paused' WHERE connection_id = ${connectionId}`;
    expect((await refresh(userId)).body).toMatchObject({
      success: false,
      error: 'Every connection of this user is paused',
      failed_sources: [],
    });
    expect((await refresh(randomUUID())).status).toBe(404);
  });

  it('is limited to eight requests per user in any hour', async () => {
    const [{ userId }, other] = [await linked(), await linked()];
    // Past the ingestion end of these users there is nothing to pull, so no refresh waits.
    await database.current.sql`UPDATE users SET ingestion_end = '2026-01-01' WHERE user_id IN (${userId}, ${other.userId})`;
    for (let i = 0; i < 8; i++) {
      expect((await refresh(userId)).status).toBe(200);
      clock.advance(60_000);
    }
    const ninth = await refresh(userId);
    expect([ninth.status, ninth.headers['retry-after'], ninth.body.detail]).toEqual([429, String(52 * 60), expect.any(String)]);
    clock.advance(52 * 60_000);
    expect((await refresh(userId)).status).toBe(200);
    expect((await refresh(userId)).status).toBe(429);
    expect((await refresh(other.userId)).status).toBe(200);
  });

  it('accepts only timeouts of 5 to 60 seconds', async () => {
    for (const timeout of ['4', '61', 'x']) {
      const { status, body } = await refresh(randomUUID(), `?timeout=${timeout}`);
      expect([status, body.detail[0].loc]).toEqual([422, ['query', 'timeout']]);
    }
  });

  it('generates the data of a demo user up to now', async () => {
    const sandbox = await apiHarness.newCaller({ isSandbox: true });
    const { user_id: userId } = (await sandbox.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
    expect((await sandbox.call('POST', '/v2/link/connect/demo', { user_id: userId, provider: 'fitbit' })).status).toBe(200);
    const { status, body } = await sandbox.call('POST', `/v2/user/refresh/${userId}`);
    expect([status, body.failed_sources, body.refreshed_sources]).toEqual([200, [], expect.arrayContaining(['fitbit/sleep'])]);
  });
});
