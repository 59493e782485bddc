import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAccessToken, listConnections, type User } from '@pulsewire/connections';
import { openDatabase } from '@pulsewire/database';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from './harness.ts';

const database = useDatabase();
let harness: Harness;
let connectionId: string;
let userId: string;
let user: User;

beforeAll(async () => {
  harness = await createHarness(database.current);
});

beforeEach(async () => {
  harness.provider.hasShutDown = false;
  harness.provider.expiresInSeconds = 28_800;
  user = await harness.newUser();
  userId = user.userId;
  connectionId = await harness.link(user);
  harness.provider.refreshes.count = 0;
  harness.provider.moods.length = 0;
  harness.provider.graceMs = 0;
  harness.provider.beforeResponse = async () => {};
});

const expireNow = () => database.current.sql`UPDATE connection_tokens SET expires_at = now() WHERE connection_id = ${connectionId}`;
const dueNow = () =>
  database.current.sql`UPDATE connection_tokens SET next_refresh_at = NULL, lease_until = NULL WHERE connection_id = ${connectionId}`;
const statusNow = async () => (await listConnections(database.current, harness.team.teamId, [userId]))[0]?.status;
const errorEvents = () =>
  database.current.sql`SELECT 1 FROM log_events WHERE event_type = 'provider.connection.error' AND user_id = ${userId}`;

describe('getAccessToken', () => {
  it('refreshes once for 64 concurrent callers, and all of them get the same new token', async () => {
    await expireNow();
    harness.provider.beforeResponse = () => new Promise((resolve) => setTimeout(resolve, 50));
    const tokens = await Promise.all(Array.from({ length: 64 }, () => getAccessToken(harness.context, connectionId)));
    expect(harness.provider.refreshes.count).toBe(1);
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1);
  });

  it('refreshes once even across processes, each with its own pool', async () => {
    await expireNow();
    const others = [1, 2, 3].map(() => openDatabase({ url: database.url, connectionsMax: 4 }));
    try {
      const calls = others.flatMap((other) =>
        Array.from({ length: 8 }, () => getAccessToken({ ...harness.context, database: other }, connectionId)),
      );
      const tokens = await Promise.all(calls);
      expect(harness.provider.refreshes.count).toBe(1);
      expect(new Set(tokens.map(({ version }) => version)).size).toBe(1);
    } finally {
      await Promise.all(others.map((other) => other.close()));
    }
  });

  it('returns the stored token without a refresh while it is valid', async () => {
    await getAccessToken(harness.context, connectionId);
    expect(harness.provider.refreshes.count).toBe(0);
  });

  it('refreshes a token that the provider rejected, unless it was refreshed already', async () => {
    const first = await getAccessToken(harness.context, connectionId);
    const second = await getAccessToken(harness.context, connectionId, { rejectedVersion: first.version });
    expect(second.version).toBeGreaterThan(first.version);
    const third = await getAccessToken(harness.context, connectionId, { rejectedVersion: first.version });
    expect(third).toEqual(second);
    expect(harness.provider.refreshes.count).toBe(1);
  });

  it('recovers tokens after a crash between rotation and storing if the provider repeats its response', async () => {
    await expireNow();
    harness.provider.graceMs = 60_000;
    harness.provider.moods.push('rotate_then_lose_answer');
    await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'token_refresh_pending', retryable: true });
    await dueNow();
    await expect(getAccessToken(harness.context, connectionId)).resolves.toMatchObject({ accessToken: expect.stringContaining('access-') });
    expect(await statusNow()).toBe('connected');
  });

  it('does not treat a rejection caused by its own lost rotation as a revocation', async () => {
    await expireNow();
    harness.provider.moods.push('rotate_then_lose_answer');
    for (let i = 0; i < 8; i++) {
      await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'token_refresh_pending' });
      await dueNow();
    }
    expect(await statusNow()).toBe('connected');
    expect(await errorEvents()).toHaveLength(0);
  });

  it('gives up unclear tokens after a day of rejections: the connection gets an error', async () => {
    await expireNow();
    harness.provider.moods.push('rotate_then_lose_answer');
    for (let i = 0; i < 5; i++) {
      await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'token_refresh_pending' });
      await dueNow();
    }
    await database.current
      .sql`UPDATE connection_tokens SET unclear_since = now() - interval '25 hours' WHERE connection_id = ${connectionId}`;
    await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'provider_consent_revoked' });
    expect(await errorEvents()).toHaveLength(1);
  });

  it('stores tokens that arrive after the lease has expired, unless newer ones are stored', async () => {
    await expireNow();
    harness.provider.beforeResponse = async () => {
      harness.provider.beforeResponse = async () => {};
      await database.current
        .sql`UPDATE connection_tokens SET lease_until = now() - interval '1 second' WHERE connection_id = ${connectionId}`;
    };
    await expect(getAccessToken(harness.context, connectionId)).resolves.toMatchObject({ version: 2n });
  });

  it('does not treat a bare 400, an outage or a used-up quota as a revocation, and recovers', async () => {
    await expireNow();
    harness.provider.moods.push('bare_400', 'unavailable', 'rate_limited');
    for (let i = 0; i < 3; i++) {
      await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'token_refresh_pending' });
      await dueNow();
    }
    await getAccessToken(harness.context, connectionId);
    expect(await statusNow()).toBe('connected');
  });

  it('logs and counts a rejected application, waits an hour between attempts, and keeps the connection', async () => {
    const [lines, counted]: [unknown[], unknown[]] = [[], []];
    const context = {
      ...harness.context,
      logger: { ...silentLogger, error: (fields: unknown, event: unknown) => void lines.push([event, fields]) },
      metrics: { ...noMetrics, count: (name: string, labels: unknown) => void counted.push([name, labels]) },
    };
    await expireNow();
    for (let attempts = 0; attempts < 10; attempts++) {
      harness.provider.moods.push('invalid_client');
      const fault = await getAccessToken(context, connectionId).catch((error: unknown) => error);
      expect(fault).toMatchObject({ code: 'provider_configuration', retryable: true, details: { reason: 'invalid_client' } });
      expect((fault as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(45 * 60_000);
      await dueNow();
    }
    expect(lines).toContainEqual([
      'provider.configuration_fault',
      expect.objectContaining({ provider: 'fitbit', reason: 'invalid_client' }),
    ]);
    expect(counted).toContainEqual(['provider_configuration_faults_total', { provider: 'fitbit', reason: 'invalid_client' }]);
    expect(await statusNow()).toBe('connected');
    await getAccessToken(context, connectionId);
  });

  it('asks a provider that has shut down three times, an hour apart; then the error names the successor', async () => {
    await expireNow();
    harness.provider.hasShutDown = true;
    for (let refusals = 1; refusals < 3; refusals++) {
      const pending = await getAccessToken(harness.context, connectionId).catch((error: unknown) => error);
      expect(pending).toMatchObject({ code: 'token_refresh_pending', details: { reason: 'discontinued' } });
      expect((pending as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(45 * 60_000);
      await dueNow();
    }
    await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'provider_consent_revoked' });
    const [connection] = await listConnections(database.current, harness.team.teamId, [userId]);
    expect(connection?.error).toMatchObject({
      errorType: 'deregistered_per_provider',
      message: expect.stringContaining('link google_health instead') as string,
    });
    expect(await errorEvents()).toHaveLength(1);
  });

  it('does not call the provider again before the next attempt is due', async () => {
    await expireNow();
    harness.provider.moods.push('unavailable');
    await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'token_refresh_pending' });
    await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({
      code: 'token_refresh_pending',
      retryAfterMs: expect.any(Number),
    });
    expect(harness.provider.refreshes.count).toBe(1);
  });

  it('ends the connection after a definite rejection and emits one event', async () => {
    await expireNow();
    harness.provider.withdraw(`account-${userId.slice(0, 8)}`);
    await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'provider_consent_revoked' });
    await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'connection_errored' });
    expect(await statusNow()).toBe('error');
    expect(await errorEvents()).toHaveLength(1);
  });

  it('keeps a connection that was linked again before the rejection of its old tokens arrived', async () => {
    await expireNow();
    harness.provider.withdraw(`account-${userId.slice(0, 8)}`);
    harness.provider.beforeResponse = async () => {
      harness.provider.beforeResponse = async () => {};
      await harness.link(user);
      // A rejection concerns only the tokens that were sent.
      harness.provider.moods.push('invalid_grant');
    };
    await expect(getAccessToken(harness.context, connectionId)).resolves.toMatchObject({ version: 2n });
    expect(await statusNow()).toBe('connected');
    expect(await errorEvents()).toHaveLength(0);
  });

  it.each([30, 240, 700])('refreshes a token with a life of %i seconds at most once in half of its life', async (seconds) => {
    const { sql } = database.current;
    const left = (share: number) => sql`
      UPDATE connection_tokens SET issued_at = now() - make_interval(secs => ${seconds * (1 - share)}),
        expires_at = now() + make_interval(secs => ${seconds * share}) WHERE connection_id = ${connectionId}`;
    await left(0.6);
    await getAccessToken(harness.context, connectionId);
    expect(harness.provider.refreshes.count).toBe(0);
    await left(0.08);
    await getAccessToken(harness.context, connectionId);
    expect(harness.provider.refreshes.count).toBe(1);
  });

  it('requests tokens that expire immediately once, and returns them', async () => {
    await expireNow();
    harness.provider.expiresInSeconds = 0;
    await expect(getAccessToken(harness.context, connectionId)).resolves.toMatchObject({ version: 2n });
    expect(harness.provider.refreshes.count).toBe(1);
  });

  it('returns the valid token when an early refresh fails', async () => {
    await database.current
      .sql`UPDATE connection_tokens SET issued_at = now() - interval '8 hours', expires_at = now() + interval '65 seconds' WHERE connection_id = ${connectionId}`;
    harness.provider.moods.push('unavailable');
    await expect(getAccessToken(harness.context, connectionId)).resolves.toBeDefined();
  });

  it('stores tokens encrypted', async () => {
    const { accessToken } = await getAccessToken(harness.context, connectionId);
    const [row] = await database.current.sql<{ stored: string }[]>`
      SELECT encode(access_token, 'escape') || encode(refresh_token, 'escape') AS stored FROM connection_tokens WHERE connection_id = ${connectionId}`;
    expect(row?.stored).not.toContain(accessToken);
    expect(row?.stored).not.toContain('refresh-');
  });
});
