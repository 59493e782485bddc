import { beforeAll, describe, expect, it } from 'vitest';
import { AppError, createManualClock } from '@pulsewire/kernel';
import {
  deleteUser,
  deregisterConnection,
  eraseUser,
  erasureGraceMs,
  getAccessToken,
  listConnections,
  listUsersToErase,
  markConnectionError,
  pausePastIngestionEnd,
  processDeregistrations,
} from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from './harness.ts';

const database = useDatabase();
const clock = createManualClock(new Date());
let harness: Harness;

beforeAll(async () => {
  harness = await createHarness(database.current, { clock });
});

const settle = (context = harness.context) => processDeregistrations(context, { limit: 100, signal: AbortSignal.timeout(5000) });
const left = async () => (await database.current.sql`SELECT 1 FROM deregistrations`).length;
/** Makes every queued deregistration due, and returns for how many hours the first of them would have waited. */
async function makeDue(): Promise<number> {
  const [row] = await database.current.sql<{ hours: number }[]>`
    UPDATE deregistrations d SET due_at = clock_timestamp() FROM deregistrations o
    WHERE o.connection_id = d.connection_id RETURNING (extract(epoch FROM o.due_at - clock_timestamp()) / 3600)::float8 AS hours`;
  return row?.hours ?? 0;
}

describe('deregistering', () => {
  it('deletes connection and tokens immediately and revokes at the provider afterwards', async () => {
    const user = await harness.newUser();
    await harness.link(user);
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    expect(await listConnections(database.current, user.teamId, [user.userId])).toEqual([]);
    expect(await database.current.sql`SELECT 1 FROM connection_tokens`).toHaveLength(0);
    await settle();
    expect(harness.provider.revoked.at(-1)).toContain('refresh-');
    expect(await left()).toBe(0);
  });

  it('retries a failed revocation later, and finally gives up', async () => {
    const user = await harness.newUser();
    await harness.link(user);
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    let tries = 0;
    const revoke = () => {
      tries += 1;
      return Promise.reject(new AppError({ code: 'provider_transient', kind: 'unavailable', message: 'down', retryable: true }));
    };
    const context = { ...harness.context, gate: { ...harness.context.gate, revoke } };
    await settle(context);
    await settle(context);
    expect([tries, await left()]).toEqual([1, 1]);
    let hours = 0;
    while ((await left()) > 0) {
      hours += await makeDue();
      await settle(context);
    }
    expect(tries).toBe(12);
    // Retries last more than 16 hours, so a provider may be down for most of a day.
    expect(hours).toBeGreaterThan(16);
  });

  it('retries to unsubscribe before it revokes, and finally revokes without it', async () => {
    const user = await harness.newUser();
    await harness.link(user);
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    const before = harness.provider.revoked.length;
    const seen: number[] = [];
    const down = new AppError({ code: 'provider_transient', kind: 'unavailable', message: 'down', retryable: true });
    for (let i = 0; i < 6; i++) {
      await processDeregistrations(harness.context, {
        limit: 100,
        signal: AbortSignal.timeout(5000),
        cleanUpProvider: () => {
          seen.push(harness.provider.revoked.length - before);
          return Promise.reject(down);
        },
      });
      await makeDue();
    }
    expect(seen).toEqual([0, 0, 0, 0]);
    expect([harness.provider.revoked.length - before, await left()]).toEqual([1, 0]);
  });

  it('revokes with the tokens that a concurrent refresh has stored', async () => {
    const user = await harness.newUser();
    const connectionId = await harness.link(user, 'ROTATED');
    const { version } = await getAccessToken(harness.context, connectionId);
    const reference = { teamId: user.teamId, userId: user.userId, provider: 'fitbit' };
    harness.provider.beforeResponse = async () => {
      harness.provider.beforeResponse = async () => {};
      await deregisterConnection(database.current, harness.context, reference);
    };
    const refused = getAccessToken(harness.context, connectionId, { rejectedVersion: version });
    await expect(refused).rejects.toMatchObject({ code: 'connection_not_found' });
    await settle();
    expect(harness.provider.revoked.at(-1)).toBe(harness.provider.refreshTokenOf('ROTATED'));
    expect(await left()).toBe(0);
  });

  it('retries with the tokens that a failed revocation had to renew', async () => {
    const user = await harness.newUser();
    await harness.link(user);
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    const seen: (string | null)[] = [];
    const { gate } = harness.context;
    const revoke: typeof gate.revoke = async ({ accessToken, refreshToken, onRenewed }) => {
      seen.push(accessToken, refreshToken);
      if (seen.length > 2) return;
      await onRenewed?.({
        accessToken: 'access-renewed',
        refreshToken: 'refresh-renewed',
        expiresAt: null,
        scopes: null,
        providerUserId: null,
      });
      throw new AppError({ code: 'provider_transient', kind: 'unavailable', message: 'down', retryable: true });
    };
    const context = { ...harness.context, gate: { ...gate, revoke } };
    await settle(context);
    expect(await database.current.sql`SELECT attempts FROM deregistrations`).toMatchObject([{ attempts: 1 }]);
    await makeDue();
    await settle(context);
    expect([seen.slice(2), await left()]).toEqual([['access-renewed', 'refresh-renewed'], 0]);
  });

  it('revokes newer tokens that were queued for the same connection during the revocation', async () => {
    const user = await harness.newUser();
    const reference = { teamId: user.teamId, userId: user.userId, provider: 'fitbit' };
    await database.current.sql`UPDATE users SET ingestion_end = '2020-01-01' WHERE user_id = ${user.userId}`;
    await harness.link(user, 'PAUSED');
    const first = harness.provider.refreshTokenOf('PAUSED');
    await pausePastIngestionEnd(harness.context, 10);
    let again: string | undefined;
    const cleanUpProvider = async () => {
      if (again !== undefined) return;
      await harness.link(user, 'PAUSED');
      again = harness.provider.refreshTokenOf('PAUSED');
      await deregisterConnection(database.current, harness.context, reference);
    };
    const before = harness.provider.revoked.length;
    await processDeregistrations(harness.context, { limit: 100, signal: AbortSignal.timeout(5000), cleanUpProvider });
    expect(again).not.toBe(first);
    expect([harness.provider.revoked.slice(before), await left()]).toEqual([[first, again], 0]);
  });

  it('does not revoke a consent that a link used during the calls to the provider', async () => {
    const [user, other] = [await harness.newUser(), await harness.newUser()];
    await harness.link(user, 'MEANWHILE');
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    const before = harness.provider.revoked.length;
    const cleanUpProvider = async () => void (await harness.link(other, 'MEANWHILE'));
    await processDeregistrations(harness.context, { limit: 100, signal: AbortSignal.timeout(5000), cleanUpProvider });
    expect([harness.provider.revoked.length - before, await left()]).toEqual([0, 0]);
  });

  it('runs once across two processes', async () => {
    const users = [await harness.newUser(), await harness.newUser(), await harness.newUser()];
    for (const user of users) {
      await harness.link(user);
      await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    }
    const before = harness.provider.revoked.length;
    const slow = async () => void (await settle());
    await processDeregistrations(harness.context, { limit: 100, signal: AbortSignal.timeout(5000), cleanUpProvider: slow });
    expect([harness.provider.revoked.length - before, await left()]).toEqual([3, 0]);
  });

  it('deletes nothing after another worker has taken the revocation over', async () => {
    const user = await harness.newUser();
    await harness.link(user);
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    const takenOver = () => database.current.sql`
      UPDATE deregistrations SET lease_epoch = lease_epoch + 1, due_at = clock_timestamp() + interval '1 minute'`;
    const cleanUpProvider = async () => void (await takenOver());
    await processDeregistrations(harness.context, { limit: 100, signal: AbortSignal.timeout(5000), cleanUpProvider });
    expect(await left()).toBe(1);
    await makeDue();
    await settle();
    expect(await left()).toBe(0);
  });

  it('does not revoke an account that was linked again in the meantime', async () => {
    const user = await harness.newUser();
    await harness.link(user, 'BACK');
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    await harness.link(user, 'BACK');
    const before = harness.provider.revoked.length;
    await settle();
    expect([harness.provider.revoked.length, await left()]).toEqual([before, 0]);
  });

  it('is rejected for a user of another team', async () => {
    const other = await createHarness(database.current);
    const user = await harness.newUser();
    await harness.link(user);
    await expect(
      deregisterConnection(database.current, harness.context, { teamId: other.team.teamId, userId: user.userId, provider: 'fitbit' }),
    ).rejects.toMatchObject({ code: 'user_not_found' });
    expect(await listConnections(database.current, user.teamId, [user.userId])).toHaveLength(1);
  });
});

describe('marking an error', () => {
  it('emits one event, however often and concurrently it is marked', async () => {
    const user = await harness.newUser();
    const connectionId = await harness.link(user);
    const failure = { errorType: 'unknown', message: 'It broke' } as const;
    const marks = await Promise.all([1, 2, 3].map(() => markConnectionError(harness.context, connectionId, failure)));
    expect(marks.filter(Boolean)).toHaveLength(1);
    const events = await database.current.sql<
      { json: string }[]
    >`SELECT json FROM log_events WHERE event_type = 'provider.connection.error' AND user_id = ${user.userId}`;
    expect(events.map(({ json }) => JSON.parse(json) as object)).toEqual([
      { provider: 'fitbit', user_id: user.userId, error_type: 'unknown', error_details: 'It broke', message: expect.any(String) },
    ]);
  });
});

describe('erasure', () => {
  it('deletes a user after the grace period and not before', async () => {
    const user = await harness.newUser();
    await harness.link(user);
    await deleteUser(database.current, harness.context, user.teamId, user.userId);
    const due = async () => (await listUsersToErase(database.current, clock, 100)).some(({ userId }) => userId === user.userId);
    clock.advance(erasureGraceMs - 1000);
    expect(await due()).toBe(false);
    expect(await database.current.transaction((tx) => eraseUser(tx, clock, user.userId))).toBe(false);
    clock.advance(2000);
    expect(await due()).toBe(true);
    expect(await database.current.transaction((tx) => eraseUser(tx, clock, user.userId))).toBe(true);
    expect(await database.current.sql`SELECT 1 FROM users WHERE user_id = ${user.userId}`).toHaveLength(0);
    expect(await database.current.sql`SELECT 1 FROM deregistrations WHERE user_id = ${user.userId}`).toHaveLength(0);
  });
});
