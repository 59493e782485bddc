import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIngest, wakeOverdue } from '@pulsewire/ingest';
import { useDatabase } from '../../support/database.ts';
import { passTime } from '../../support/pass-time.ts';
import { createHarness, eventsOf, samplesOf, today, windowsOf, type Harness } from './support/harness.ts';

const database = useDatabase({ connectionsMax: 20 });
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
});
afterEach(() => harness.close());

async function isFinished(): Promise<boolean> {
  const [row] = await database.current.sql`SELECT 1 FROM pull_windows WHERE state NOT IN ('done', 'given_up') LIMIT 1`;
  return !row;
}

async function runUntilFinished(workers: number, settings = harness.options.settings): Promise<void> {
  const stopping = new AbortController();
  const running = Array.from({ length: workers }, () =>
    createIngest({ ...harness.options, ...(settings ? { settings } : {}) }).run(stopping.signal),
  );
  await expect.poll(isFinished, { timeout: 20_000, interval: 50 }).toBe(true);
  stopping.abort();
  await Promise.all(running);
}

test('a run asks for the token of its connection once, and claims its live windows together', async () => {
  const { connectionId } = await harness.link({ ingestionStart: today });
  let asked = 0;
  const accessTokenFor: typeof harness.options.accessTokenFor = (...call) => {
    asked += 1;
    return harness.options.accessTokenFor(...call);
  };
  const running = new Set<number>();
  harness.wristband.onCall = async ({ day }) => {
    const windows = await windowsOf(database.current, connectionId);
    if (day !== '') running.add(windows.filter(({ state }) => state === 'running').length);
  };
  await createIngest({ ...harness.options, accessTokenFor }).drain();
  expect([...running]).toEqual([2, 1]);
  // One for the run, one for subscribing.
  expect(asked).toBe(2);
});

describe('two workers', () => {
  test('share the connections, run each on one worker at a time, and complete each resource once', async () => {
    const links = await Promise.all(Array.from({ length: 6 }, () => harness.link()));
    const busy = new Map<string, number>();
    let overlaps = 0;
    let peak = 0;
    const settings = { ...harness.options.settings, runWindowsMax: 1, concurrency: 4 };
    const counted = harness.options.sendFor;
    const sendFor: typeof counted = (request) => {
      const send = counted(request);
      const id = request.connection.connectionId;
      return async (method, path, call) => {
        // Subscribing is a separate job and may run concurrently with a pull.
        if (method !== 'GET') return send(method, path, call);
        busy.set(id, (busy.get(id) ?? 0) + 1);
        if ((busy.get(id) ?? 0) > 1) overlaps += 1;
        peak = Math.max(peak, [...busy.values()].filter((count) => count > 0).length);
        const response = await send(method, path, call);
        busy.set(id, (busy.get(id) ?? 0) - 1);
        return response;
      };
    };
    Object.assign(harness.options, { sendFor });
    await runUntilFinished(2, settings);
    expect(overlaps).toBe(0);
    expect(peak).toBeGreaterThan(1);
    for (const { userId } of links) {
      const events = await eventsOf(database.current, userId, 'historical.%');
      expect(events.map((event) => event.event_type).toSorted()).toEqual([
        'historical.data.distance.created',
        'historical.data.steps.created',
        'historical.data.weight.created',
      ]);
      expect(await samplesOf(database.current, userId)).toBe(3 * (11 + 11 + 21));
    }
  }, 40_000);
});

describe('a worker with one place and many jobs', () => {
  test('takes the next one as soon as one has ended', async () => {
    await Promise.all(Array.from({ length: 6 }, () => harness.link({ ingestionStart: today })));
    const startedMs: number[] = [];
    harness.wristband.onCall = () => void startedMs.push(performance.now());
    await runUntilFinished(1, { ...harness.options.settings, concurrency: 1 });
    // With pauses, five of two seconds would separate the first from the last.
    expect((startedMs.at(-1) ?? 0) - (startedMs[0] ?? 0)).toBeLessThan(8000);
  }, 30_000);
});

describe('a worker that was killed', () => {
  test('loses its window to another worker when its lease expires, and can write nothing more', async () => {
    const { connectionId, userId } = await harness.link();
    const stuck = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let isFirst = true;
    const claimed = new Set<number>();
    const running = async () => (await windowsOf(database.current, connectionId)).filter((window) => window.state === 'running');
    harness.wristband.onCall = async ({ day }) => {
      if (!isFirst) {
        // Subscribing is no reading.
        if (day !== '') claimed.add((await running()).length);
        return;
      }
      isFirst = false;
      reached.resolve();
      await stuck.promise;
    };
    // Equivalent to a dead worker: it does not renew its lease while the clock advances.
    const dead = harness.ingest.drain();
    await reached.promise;
    // The live windows of its run.
    expect(await running()).toHaveLength(2);

    await database.current.transaction((tx) => harness.jobs.wake(tx, connectionId));
    await createIngest(harness.options).drain();
    expect((await windowsOf(database.current, connectionId)).filter((window) => window.state === 'done')).toHaveLength(0);

    await passTime(database.current, harness.clock, 31_000);
    await createIngest(harness.options).drain();
    expect((await windowsOf(database.current, connectionId)).map((window) => window.state)).toEqual(Array(6).fill('done'));
    // One of them may have killed the worker, so that each is claimed by itself.
    expect([...claimed]).toEqual([1]);
    const before = await eventsOf(database.current, userId);

    stuck.resolve();
    await dead;
    expect(await eventsOf(database.current, userId)).toEqual(before);
    expect((await windowsOf(database.current, connectionId)).every((window) => window.state === 'done' && window.runs === 1)).toBe(true);
  });

  test('and lost its job is detected by the check for overdue connections', async () => {
    const { connectionId } = await harness.link();
    await database.current.sql`DELETE FROM pgboss.job WHERE name = 'ingest-tick'`;
    expect(await wakeOverdue({ ...harness.plan, database: database.current }, new Date(harness.clock.now().getTime() - 1000))).toBe(0);
    harness.clock.advance(60_000);
    expect(await wakeOverdue({ ...harness.plan, database: database.current }, harness.clock.now())).toBe(1);
    expect(await wakeOverdue({ ...harness.plan, database: database.current }, harness.clock.now())).toBe(1);
    const jobs = await database.current
      .sql`SELECT 1 FROM pgboss.job WHERE name = 'ingest-tick' AND singleton_key = ${connectionId} AND state = 'created'`;
    expect(jobs).toHaveLength(1);
  });
});

describe('a requested tick', () => {
  test('is created in the transaction that needs it: a rollback leaves no job and no window', async () => {
    const { connectionId } = await harness.link();
    await harness.ingest.drain();
    const work = database.current.transaction(async (tx) => {
      await harness.jobs.wake(tx, connectionId);
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    const jobs = await database.current.sql`SELECT 1 FROM pgboss.job WHERE name = 'ingest-tick' AND state = 'created'`;
    expect(jobs).toHaveLength(0);
  });

  test('leaves one waiting job, however often it is requested', async () => {
    const { connectionId } = await harness.link();
    await Promise.all(Array.from({ length: 8 }, () => database.current.transaction((tx) => harness.jobs.wake(tx, connectionId))));
    const jobs = await database.current
      .sql`SELECT 1 FROM pgboss.job WHERE name = 'ingest-tick' AND singleton_key = ${connectionId} AND state = 'created'`;
    expect(jobs).toHaveLength(1);
  });
});
