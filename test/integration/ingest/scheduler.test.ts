import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createManualClock, noMetrics, silentLogger, type Clock } from '@pulsewire/kernel';
import type { SchedulerService } from '@pulsewire/service-scheduler';
import { createScheduler } from '../../../services/scheduler/src/schedule/create-scheduler.ts';
import type { ScheduledJob, SchedulerContext } from '../../../services/scheduler/src/schedule/scheduled-job.ts';
import { useDatabase } from '../../support/database.ts';
import { composeScheduler } from './support/scheduler-harness.ts';
import { createHarness, windowsOf, type Harness } from './support/harness.ts';

const database = useDatabase({ connectionsMax: 20 });
let harness: Harness;
let clock: Clock & { advance(ms: number): void };
let service: SchedulerService;
beforeAll(async () => {
  harness = await createHarness(database.current);
  clock = harness.clock;
  service = await composeScheduler(database.url, harness);
});
afterAll(async () => {
  await service.close();
  await harness.close();
});

type TestJob = ScheduledJob<Pick<SchedulerContext, 'database' | 'clock' | 'logger'>>;

const schedulerOf = (...jobs: TestJob[]) =>
  createScheduler({
    jobs,
    metrics: noMetrics,
    context: { database: database.current, clock: createManualClock(new Date()), logger: silentLogger },
  });

describe('several schedulers', () => {
  test('run a job in one of them at a time', async () => {
    const gate = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<void>();
    let runs = 0;
    const job: TestJob = {
      name: 'exclusive',
      description: 'Counts.',
      cron: '* * * * * *',
      run: () => {
        runs += 1;
        begun.resolve();
        return gate.promise;
      },
    };
    const first = schedulerOf(job).runJob('exclusive');
    await begun.promise;
    expect(await schedulerOf(job).runJob('exclusive')).toBe(false);
    gate.resolve(undefined);
    expect(await first).toBe(true);
    expect(await schedulerOf(job).runJob('exclusive')).toBe(true);
    expect(runs).toBe(2);
  });

  test('run as many jobs at a time as there are connections for, and the others after them', async () => {
    const gate = Promise.withResolvers<undefined>();
    const started: string[] = [];
    const job = (name: string): TestJob => ({
      name,
      description: 'Waits.',
      cron: '* * * * * *',
      run: () => {
        started.push(name);
        return gate.promise;
      },
    });
    const scheduler = createScheduler({
      jobs: ['one', 'two', 'three', 'four'].map(job),
      metrics: noMetrics,
      concurrency: 2,
      context: { database: database.current, clock: createManualClock(new Date()), logger: silentLogger },
    });
    const ending = new AbortController();
    const run = scheduler.run(ending.signal);
    await expect.poll(() => started.length, { timeout: 20_000 }).toBe(2);
    gate.resolve(undefined);
    await expect.poll(() => new Set(started).size, { timeout: 20_000 }).toBe(4);
    ending.abort();
    await run;
  });

  test('log what the timer reports as lines of our own', async () => {
    const gate = Promise.withResolvers<undefined>();
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (fields: object, event: string) => void lines.push({ ...fields, event }) };
    const job: TestJob = { name: 'slow', description: 'Waits.', cron: '* * * * * *', run: () => gate.promise };
    const context = { database: database.current, clock: createManualClock(new Date()), logger };
    const stop = new AbortController();
    const ran = createScheduler({ jobs: [job], metrics: noMetrics, context }).run(stop.signal);
    await expect.poll(() => lines[0], { timeout: 20_000 }).toMatchObject({ job: 'slow', event: 'job.timer' });
    stop.abort();
    gate.resolve(undefined);
    await ran;
  });

  test('release the lock when a job fails', async () => {
    const job: TestJob = { name: 'failing', description: 'Fails.', cron: '* * * * * *', run: () => Promise.reject(new Error('broken')) };
    await expect(schedulerOf(job).runJob('failing')).rejects.toThrow('broken');
    await expect(schedulerOf(job).runJob('failing')).rejects.toThrow('broken');
  });

  test('stop on request once jobs in progress have ended, even after an earlier failure', async () => {
    const stopping = new AbortController();
    const seen: string[] = [];
    const begun = Promise.withResolvers<void>();
    const failing: TestJob = {
      name: 'start_fails',
      description: 'Runs at start.',
      cron: '0 0 0 1 1 *',
      atStart: true,
      run: () => Promise.reject(new Error('broken')),
    };
    const slow: TestJob = {
      name: 'start_slow',
      description: 'Is interrupted.',
      cron: '0 0 0 1 1 *',
      atStart: true,
      async run(_context, signal) {
        begun.resolve();
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        seen.push('ended');
        return undefined;
      },
    };
    const running = schedulerOf(failing, slow).run(stopping.signal);
    await begun.promise;
    stopping.abort();
    await running;
    expect(seen).toEqual(['ended']);
  });
});

describe('the jobs', () => {
  test('create the partitions of coming days and drop expired ones', async () => {
    const { sql } = database.current;
    await sql`CREATE TABLE push_inbox_20260101 PARTITION OF push_inbox FOR VALUES FROM ('2026-01-01') TO ('2026-01-02')`;
    expect(await service.runJob('maintain_partitions')).toBe(true);
    const rows = await sql<{ name: string }[]>`
      SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'push_inbox'::regclass ORDER BY 1`;
    const names = rows.map((row) => row.name);
    expect(names).toContain('push_inbox_20260320');
    expect(names).toContain('push_inbox_20260326');
    expect(names).not.toContain('push_inbox_20260101');
    for (const table of ['log_events', 'sample_receipts', 'summary_receipts', 'webhook_attempts']) {
      const [found] = await sql`SELECT to_regclass(${`${table}_20260320`}) IS NOT NULL AS found`;
      expect(found).toEqual({ found: true });
    }
  });

  test('keep the days of pushes that are not processed yet', async () => {
    const { sql } = database.current;
    for (const table of ['push_inbox', 'push_bodies'])
      await sql.unsafe(`CREATE TABLE ${table}_20260102 PARTITION OF ${table} FOR VALUES FROM ('2026-01-02') TO ('2026-01-03')`);
    await sql`
      INSERT INTO push_inbox (push_id, day, provider, owners, headers, query, version, state, received_at)
      VALUES (gen_random_uuid(), '2026-01-02', 'wristband', '{}', '{}', '{}', 1, 'received', '2026-01-02')`;
    const keeps = async () => {
      expect(await service.runJob('maintain_partitions')).toBe(true);
      const [row] =
        await sql`SELECT to_regclass('push_inbox_20260102') IS NOT NULL AND to_regclass('push_bodies_20260102') IS NOT NULL AS kept`;
      return row?.['kept'];
    };
    expect(await keeps()).toBe(true);
    await sql`UPDATE push_inbox SET state = 'failed' WHERE day = '2026-01-02'`;
    expect(await keeps()).toBe(false);
  });

  test('refuse to start with a vault that is kept longer than its receipts', async () => {
    await expect(composeScheduler(database.url, harness, { vaultDays: 31 })).rejects.toMatchObject({
      code: 'config_invalid',
      details: { problems: [expect.stringContaining('RETENTION_VAULT_DAYS (31)')] },
    });
  });

  test('drop nothing when the clock jumps half a year ahead', async () => {
    const jumpMs = 180 * 86_400_000;
    expect(await service.runJob('maintain_partitions')).toBe(true);
    clock.advance(jumpMs);
    try {
      expect(await service.runJob('maintain_partitions')).toBe(true);
    } finally {
      clock.advance(-jumpMs);
    }
    for (const table of ['log_events', 'push_inbox', 'sample_receipts', 'webhook_attempts']) {
      const [found] = await database.current.sql`SELECT to_regclass(${`${table}_20260320`}) IS NOT NULL AS found`;
      expect(found).toEqual({ found: true });
    }
  });

  test('poll a connection whose next poll was planned by a clock that was ahead', async () => {
    const { connectionId } = await harness.link();
    await harness.ingest.drain();
    await database.current.sql`
      UPDATE pull_plans SET next_pull_at = '2027-03-20', lease_until = '2027-03-20', lease_epoch = lease_epoch + 1 WHERE connection_id = ${connectionId}`;
    await database.current
      .sql`UPDATE pull_cursors SET polled_at = '2027-03-20', reread_at = '2027-03-20' WHERE connection_id = ${connectionId}`;
    expect(await service.runJob('heal_pulls')).toBe(true);
    expect(await service.runJob('plan_due_pulls')).toBe(true);
    const runs = async () => (await windowsOf(database.current, connectionId)).reduce((sum, window) => sum + window.runs, 0);
    const before = await runs();
    await harness.ingest.drain();
    expect(await runs()).toBeGreaterThan(before);
  });

  test('plan due windows and wake connections whose job was lost', async () => {
    const { connectionId } = await harness.link();
    await harness.ingest.drain();
    clock.advance(2 * 3_600_000);
    expect(await service.runJob('plan_due_pulls')).toBe(true);
    const open = () => database.current.sql`SELECT 1 FROM pull_windows WHERE connection_id = ${connectionId} AND state = 'planned'`;
    expect((await open()).length).toBeGreaterThan(0);
    await database.current.sql`DELETE FROM pgboss.job WHERE name = 'ingest-tick'`;
    clock.advance(60_000);
    await service.runJob('heal_pulls');
    expect(
      await database.current
        .sql`SELECT 1 FROM pgboss.job WHERE name = 'ingest-tick' AND singleton_key = ${connectionId} AND state = 'created'`,
    ).toHaveLength(1);
    await harness.ingest.drain();
    expect(await open()).toHaveLength(0);
  });

  test('plan what became due while no scheduler ran as soon as one starts', async () => {
    const { connectionId } = await harness.link();
    await harness.ingest.drain();
    clock.advance(2 * 3_600_000);
    const stopping = new AbortController();
    const running = service.run(stopping.signal);
    await vi.waitFor(async () => {
      const rows = await database.current.sql`SELECT 1 FROM pull_windows WHERE connection_id = ${connectionId} AND state = 'planned'`;
      expect(rows.length).toBeGreaterThan(0);
    }, 5000);
    stopping.abort();
    await running;
    await harness.ingest.drain();
  });

  test('erase a deleted user after the grace period, unless the deletion was undone', async () => {
    const gone = await harness.link();
    const kept = await harness.link();
    await harness.ingest.drain();
    await database.current.sql`UPDATE users SET deleted_at = ${clock.now().toISOString()} WHERE user_id = ${gone.userId}`;
    const tables = ['users', 'connections', 'sources', 'summaries', 'pull_plans', 'pull_windows', 'historical_pulls', 'quarantine'];
    const countsOf = async (userId: string) =>
      Promise.all(
        tables.map(async (table) =>
          Number((await database.current.sql.unsafe(`SELECT count(*) FROM ${table} WHERE user_id = '${userId}'`))[0]?.['count']),
        ),
      );
    await database.current.sql`
      INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, duration_ms, event_type)
      SELECT day, gen_random_uuid(), now(), event_id, shard, "offset", day, 1, 1, 5, event_type FROM log_events`;
    const attemptsOf = async (userId: string) =>
      (await database.current.sql`SELECT FROM webhook_attempts JOIN log_events USING (event_id) WHERE user_id = ${userId}`).length;
    await service.runJob('erase_users');
    expect((await countsOf(gone.userId))[0]).toBe(1);
    expect(await attemptsOf(gone.userId)).toBeGreaterThan(0);
    clock.advance(8 * 86_400_000);
    await service.runJob('erase_users');
    expect(await countsOf(gone.userId)).toEqual(tables.map(() => 0));
    expect(await attemptsOf(gone.userId)).toBe(0);
    expect(await attemptsOf(kept.userId)).toBeGreaterThan(0);
    const [keptUsers = 0, , keptSources = 0] = await countsOf(kept.userId);
    expect(keptUsers).toBe(1);
    expect(keptSources).toBeGreaterThan(0);
    const samples = await database.current
      .sql`SELECT count(*)::int AS count FROM all_samples WHERE user_source_id NOT IN (SELECT user_source_id FROM sources)`;
    expect(samples[0]).toEqual({ count: 0 });
  });

  test('erase the users queued behind one that cannot be erased', async () => {
    const { sql } = database.current;
    const [stuck, next] = [await harness.link(), await harness.link()];
    const deletedAt = (secondsAgo: number) => new Date(clock.now().getTime() - secondsAgo * 1000).toISOString();
    await sql`UPDATE users SET deleted_at = ${deletedAt(2)} WHERE user_id = ${stuck.userId}`;
    await sql`UPDATE users SET deleted_at = ${deletedAt(1)} WHERE user_id = ${next.userId}`;
    await sql`CREATE TABLE keeper (user_id uuid REFERENCES users)`;
    await sql`INSERT INTO keeper VALUES (${stuck.userId})`;
    clock.advance(8 * 86_400_000);
    const left = () => sql`SELECT user_id FROM users WHERE user_id IN (${stuck.userId}, ${next.userId})`;
    expect(await service.runJob('erase_users')).toBe(true);
    expect(await left()).toEqual([{ user_id: stuck.userId }]);
    await sql`DROP TABLE keeper`;
    await service.runJob('erase_users');
    expect(await left()).toEqual([]);
  });

  test('continue past a connection that cannot be planned, and retry it at its next poll', async () => {
    const { sql } = database.current;
    const [stuck, next] = [await harness.link(), await harness.link()];
    await harness.ingest.drain();
    clock.advance(2 * 3_600_000);
    await sql`UPDATE pull_plans SET next_pull_at = next_pull_at - interval '1 day' WHERE connection_id = ${stuck.connectionId}`;
    await sql`ALTER TABLE pull_windows ADD CONSTRAINT stuck CHECK (connection_id <> ${sql.unsafe(`'${stuck.connectionId}'`)}) NOT VALID`;
    await service.runJob('plan_due_pulls');
    const planned = () => sql`
      SELECT DISTINCT connection_id FROM pull_windows
      WHERE connection_id IN (${stuck.connectionId}, ${next.connectionId}) AND state = 'planned'`;
    expect(await planned()).toEqual([{ connection_id: next.connectionId }]);
    await sql`ALTER TABLE pull_windows DROP CONSTRAINT stuck`;
    clock.advance(20 * 60_000);
    await service.runJob('plan_due_pulls');
    expect(await planned()).toHaveLength(2);
    await harness.ingest.drain();
  });
});
