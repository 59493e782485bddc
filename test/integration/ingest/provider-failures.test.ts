import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIngest, planConnection, planRefresh, readCoverage, readProgress } from '@pulsewire/ingest';
import { useDatabase } from '../../support/database.ts';
import { createHarness, eventsOf, today, windowsOf, type Harness } from './support/harness.ts';
import { providerError, rateLimited } from './support/wristband.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
});
afterEach(() => harness.close());

const statesOf = async (connectionId: string) => {
  const states: Record<string, number> = {};
  for (const { state } of await windowsOf(database.current, connectionId)) states[state] = (states[state] ?? 0) + 1;
  return states;
};

describe('a provider that responds with 429', () => {
  test('is not called until the requested time; pulling then resumes, without counting a failure', async () => {
    const { connectionId, userId } = await harness.link();
    let isFull = true;
    harness.wristband.onCall = () => {
      if (isFull && harness.wristband.calls.length > 6) throw rateLimited(40 * 60_000);
    };
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(7);

    isFull = false;
    harness.clock.advance(39 * 60_000);
    await database.current.transaction((tx) => harness.jobs.wake(tx, connectionId));
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(7);
    const paused = (await windowsOf(database.current, connectionId)).filter((window) => window.state !== 'done');
    expect(paused.every((window) => window.state === 'planned' && window.attempts === 0)).toBe(true);
    expect(paused.map((window) => window.error_code)).toContain('provider_rate_limited');

    harness.clock.advance(60_000);
    await harness.ingest.drain();
    expect(await statesOf(connectionId)).toEqual({ done: 6 });
    expect((await eventsOf(database.current, userId, 'historical.%')).length).toBe(3);
  });

  test('pauses the other windows of that connection, but not other connections', async () => {
    const limited = await harness.link();
    const free = await harness.link();
    harness.tokens.current = 1n;
    harness.wristband.onCall = ({ accessToken }) => {
      if (accessToken === 'limited') throw rateLimited(3_600_000);
    };
    const ingest = createIngest({
      ...harness.options,
      accessTokenFor: async (id) => ({ accessToken: id === limited.connectionId ? 'limited' : 'free', version: 1n }),
    });
    await ingest.drain();
    expect(harness.wristband.calls.filter((call) => call.accessToken === 'limited')).toHaveLength(1);
    expect(await statesOf(free.connectionId)).toEqual({ done: 6 });
    expect(await statesOf(limited.connectionId)).toEqual({ planned: 6 });
  });

  test('is not caused by backfills, which leave the last part of the quota to live pulls', async () => {
    const { connectionId } = await harness.link();
    let remaining = 100;
    const ingest = createIngest({
      ...harness.options,
      sendFor: (request) => {
        const send = harness.options.sendFor(request);
        return (method, path, call) => {
          remaining -= 10;
          request.onQuota({ scope: 'user', limit: 100, remaining, resetAfterMs: 1_800_000 });
          return send(method, path, call);
        };
      },
    });
    await ingest.drain();
    expect(remaining).toBeGreaterThan(-200);
    const open = (await windowsOf(database.current, connectionId)).filter((window) => window.state === 'planned');
    expect(open.length).toBeGreaterThan(0);
    expect(open.every((window) => window.lane === 'backfill')).toBe(true);
    const callsBefore = harness.wristband.calls.length;
    await database.current
      .sql`UPDATE pull_plans SET next_pull_at = ${harness.clock.now().toISOString()} WHERE connection_id = ${connectionId}`;
    await harness.planDuePulls();
    await ingest.drain();
    const days = harness.wristband.calls.slice(callsBefore).map((call) => call.day);
    expect(days).toContain(today);
    expect(
      (await windowsOf(database.current, connectionId)).some((window) => window.state === 'planned' && window.lane === 'backfill'),
    ).toBe(true);
    remaining = 10_000;
    harness.clock.advance(1_800_000);
    await ingest.drain();
    expect(await statesOf(connectionId)).toMatchObject({ done: expect.any(Number) });
    expect((await statesOf(connectionId))['planned']).toBeUndefined();
  });
});

describe('a provider that fails as a whole', () => {
  test('is tried with three pulls, then the connection waits, and the other windows lose no attempt', async () => {
    const { connector } = harness.wristband;
    const [moves] = connector.pulls;
    if (!moves) throw new Error('No pulls');
    const pulls = [...connector.pulls, { ...moves, name: 'walks' }, { ...moves, name: 'rides' }];
    Object.assign(harness.wristband, { connector: { ...connector, pulls } });
    const { connectionId } = await harness.link();
    harness.wristband.onCall = () => {
      throw providerError('provider_transient', { status: 503 });
    };
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(3);
    const waiting = (await windowsOf(database.current, connectionId)).filter(({ state }) => state === 'planned');
    expect(waiting.length).toBeGreaterThan(3);
    expect(waiting.every(({ attempts }) => attempts === 0)).toBe(true);

    harness.wristband.onCall = () => {};
    harness.clock.advance(60_000);
    await harness.ingest.drain();
    expect(Object.keys(await statesOf(connectionId))).toEqual(['done']);
  });
});

describe('history that cannot be read during an outage', () => {
  test('waits for hours until the provider has recovered, and is read completely', async () => {
    const { connectionId, userId } = await harness.link();
    harness.wristband.onCall = () => {
      throw providerError('provider_transient', { status: 503 });
    };
    for (let hour = 0; hour < 30; hour++) {
      await harness.ingest.drain();
      harness.clock.advance(3_600_000);
    }
    const history = (await windowsOf(database.current, connectionId)).filter(({ lane }) => lane === 'backfill');
    expect(history.every(({ state, attempts }) => state === 'failed' && attempts > 10)).toBe(true);
    expect(await eventsOf(database.current, userId, 'historical.%')).toEqual([]);

    harness.wristband.onCall = () => {};
    await harness.planDuePulls();
    await harness.ingest.drain();
    const after = await windowsOf(database.current, connectionId);
    expect(after.filter(({ lane }) => lane === 'backfill').map(({ state }) => state)).toEqual(history.map(() => 'done'));
    expect(await eventsOf(database.current, userId, 'historical.%')).toHaveLength(3);
  });
});

describe('a window that always fails', () => {
  test('blocks no other, waits longer after each attempt, and is given up with its reason', async () => {
    const { connectionId, userId, teamId } = await harness.link();
    let tries = 0;
    let isPolled = false;
    harness.wristband.onCall = ({ path }) => {
      if (isPolled || path !== '/moves/2026-03-18') return;
      tries += 1;
      throw providerError('provider_transient', { status: 503 });
    };
    await harness.ingest.drain();
    expect(await statesOf(connectionId)).toEqual({ done: 5, failed: 1 });
    expect(tries).toBe(1);
    harness.clock.advance(59_000);
    await harness.ingest.drain();
    expect(tries).toBe(1);
    harness.clock.advance(1000);
    await harness.ingest.drain();
    expect(tries).toBe(2);
    harness.clock.advance(119_000);
    // A poll that succeeds shows that the provider works.
    isPolled = true;
    await database.current.transaction((tx) => planRefresh(harness.plan, tx, connectionId));
    await harness.ingest.drain();
    isPolled = false;
    expect(tries).toBe(2);
    harness.clock.advance(1000);
    await harness.ingest.drain();
    expect(tries).toBe(3);
    harness.clock.advance(86_400_000 / 2);
    await harness.ingest.drain();
    expect(tries).toBe(3);

    const [coverage] = (await readCoverage(database.current, { teamId, userId, day: '2026-03-18' })).filter(
      (window) => window.pull === 'moves' && window.lane === 'backfill',
    );
    expect(coverage).toMatchObject({ state: 'given_up', errorCode: 'provider_transient', attempts: 3 });
    expect((await readProgress(database.current, { teamId, userId })).windowsFailed).toBe(1);
    expect((await eventsOf(database.current, userId, 'historical.data.steps.created')).length).toBe(1);
  });

  test('is given up immediately for a missing scope or a request that the provider rejects', async () => {
    const { connectionId } = await harness.link();
    harness.wristband.onCall = ({ path }) => {
      if (path.startsWith('/moves/')) throw providerError('provider_scope_missing', { status: 403 });
      throw providerError('provider_permanent', { status: 404 });
    };
    await harness.ingest.drain();
    const windows = await windowsOf(database.current, connectionId);
    expect(windows.every((window) => window.state === 'given_up')).toBe(true);
    expect(new Set(windows.map((window) => `${window.pull} ${window.error_code}`))).toEqual(
      new Set(['moves provider_scope_missing', 'scales provider_permanent']),
    );
  });

  test('repeats a call whose response was lost instead of starting again', async () => {
    const { connectionId } = await harness.link();
    const seen = new Set<string>();
    harness.wristband.onCall = ({ path }) => {
      if (seen.has(path)) return;
      seen.add(path);
      throw providerError('provider_transient', { status: 503 });
    };
    await createIngest({ ...harness.options, settings: { ...harness.options.settings, callAttemptsMax: 2 } }).drain();
    expect(await statesOf(connectionId)).toEqual({ done: 6 });
    expect((await windowsOf(database.current, connectionId)).every((window) => window.runs === 1)).toBe(true);
  });

  test('reports that it exceeded its deadline', async () => {
    const { connectionId } = await harness.link({ scopes: ['scale'] });
    const ingest = createIngest({
      ...harness.options,
      settings: { ...harness.options.settings, windowDeadlineMs: 20 },
      sendFor: (request) => (method, path, call) => {
        if (method !== 'GET') return harness.options.sendFor(request)(method, path, call);
        return new Promise((_resolve, reject) =>
          request.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
        );
      },
    });
    await ingest.drain();
    expect((await windowsOf(database.current, connectionId)).map((window) => window.error_code)).toEqual([
      'window_deadline',
      'window_deadline',
    ]);
  });
});

describe('a token', () => {
  test('that the provider rejects as expired is refreshed once, and the window continues', async () => {
    const { connectionId } = await harness.link();
    harness.wristband.onCall = ({ accessToken }) => {
      if (accessToken === 'token-1') throw providerError('provider_token_expired', { status: 401 });
    };
    await harness.ingest.drain();
    expect(harness.tokens.refreshes).toBe(1);
    expect(await statesOf(connectionId)).toEqual({ done: 6 });
    expect((await windowsOf(database.current, connectionId)).every((window) => window.runs === 1)).toBe(true);
  });

  test('that is unavailable for now makes the connection wait without counting a failure', async () => {
    const { connectionId } = await harness.link();
    const broken = createIngest({
      ...harness.options,
      accessTokenFor: () => Promise.reject(providerError('provider_transient', { status: 500 }, 120_000)),
    });
    await broken.drain();
    expect(harness.wristband.calls).toHaveLength(0);
    expect((await windowsOf(database.current, connectionId)).every((window) => window.attempts === 0)).toBe(true);
    harness.clock.advance(120_000);
    await harness.ingest.drain();
    expect(await statesOf(connectionId)).toEqual({ done: 6 });
  });
});

describe('a revoked consent', () => {
  test('stops pulling and emits one error event; after a new link pulling resumes where it stopped', async () => {
    const { connectionId, userId } = await harness.link();
    harness.wristband.onCall = () => {
      throw providerError('provider_consent_revoked', { status: 401 });
    };
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(1);
    harness.clock.advance(86_400_000);
    await harness.planDuePulls();
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(1);
    const [error] = await eventsOf(database.current, userId, 'provider.connection.error');
    expect(JSON.parse(error?.json ?? '{}')).toMatchObject({ error_type: 'deregistered_per_provider', provider: 'wristband' });
    expect(await eventsOf(database.current, userId, 'provider.connection.error')).toHaveLength(1);

    harness.wristband.onCall = () => {};
    await database.current.sql`UPDATE connections SET status = 'connected' WHERE connection_id = ${connectionId}`;
    await database.current.transaction((tx) => planConnection(harness.plan, tx, connectionId));
    await harness.ingest.drain();
    expect((await statesOf(connectionId))['planned']).toBeUndefined();
    expect((await windowsOf(database.current, connectionId)).filter((window) => window.lane === 'backfill')).toHaveLength(4);
    expect((await eventsOf(database.current, userId, 'historical.%')).length).toBe(3);
  });
});

describe('a revocation that a pull detects after the user has linked again', () => {
  test('does not end the new link, and the window is pulled under it', async () => {
    const { connectionId, userId } = await harness.link();
    harness.wristband.onCall = async () => {
      harness.wristband.onCall = () => {};
      harness.clock.advance(1000);
      await database.current.transaction((tx) => planConnection(harness.plan, tx, connectionId));
      throw providerError('provider_consent_revoked', { status: 401 });
    };
    await harness.ingest.drain();
    expect(await eventsOf(database.current, userId, 'provider.connection.error')).toHaveLength(0);
    const [plan] = await database.current.sql`SELECT stopped_at FROM pull_plans WHERE connection_id = ${connectionId}`;
    expect(plan).toEqual({ stopped_at: null });
    expect(Object.keys(await statesOf(connectionId))).toEqual(['done']);
  });
});

describe('a process that stops', () => {
  test('hands back windows in flight without counting an attempt', async () => {
    const { connectionId } = await harness.link();
    const stopping = new AbortController();
    harness.wristband.onCall = () => {
      stopping.abort(new Error('stop'));
      throw stopping.signal.reason;
    };
    await harness.ingest.drain(stopping.signal);
    expect(await statesOf(connectionId)).toEqual({ planned: 6 });
    expect((await windowsOf(database.current, connectionId)).every((window) => window.attempts === 0)).toBe(true);
    harness.wristband.onCall = () => {};
    await harness.ingest.drain();
    expect(await statesOf(connectionId)).toEqual({ done: 6 });
  });
});
