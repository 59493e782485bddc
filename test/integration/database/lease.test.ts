import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError, noMetrics, silentLogger, waitUntilAborted, type Logger, type Metrics } from '@pulsewire/kernel';
import { createLeaseQueue, createWorkerLoop, retryOrSetAside, type WorkerLoop } from '@pulsewire/database';
import { createLeaseTasks, leaseTasks, taskRotation } from '@pulsewire/database/testing';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const columns = {
  table: leaseTasks,
  key: 'taskId',
  dueAt: 'dueAt',
  epoch: 'leaseEpoch',
  attempts: 'attempts',
  lastError: 'lastError',
} as const;
const queue = createLeaseQueue({ ...columns, leaseUntil: 'leaseUntil' });
const minute = { leaseMs: 60_000 };

beforeAll(() => createLeaseTasks(database.current));
beforeEach(() => database.current.sql`TRUNCATE lease_tasks, lease_turns`);

async function addTask(minutesDue: number, teamId = 'a'): Promise<string> {
  const taskId = randomUUID();
  await database.current
    .sql`INSERT INTO lease_tasks (task_id, team_id, due_at) VALUES (${taskId}, ${teamId}, now() - make_interval(mins => ${minutesDue}))`;
  return taskId;
}
/** The lease of every task has ended, as when its holder has died. */
const endLeases = () =>
  database.current.sql`UPDATE lease_tasks SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL`;
const claimOne = async () => {
  const [row] = await queue.claim(database.current, minute);
  if (!row) throw new Error('Nothing is due');
  return row;
};
const read = async (taskId: string) => {
  const [row] = await database.current.sql<
    { due_at: string | null; lease_until: string | null; attempts: number; last_error: string | null }[]
  >`
    SELECT * FROM lease_tasks WHERE task_id = ${taskId}`;
  return row;
};

describe('a claim', () => {
  it('takes the rows that have been due longest, and those of another worker only after their lease', async () => {
    const [late, later, latest] = [await addTask(3), await addTask(2), await addTask(1)];
    await addTask(-5);
    const first = await queue.claim(database.current, { ...minute, limit: 2 });
    expect(new Map(first.map(({ taskId, attempts }) => [taskId, attempts]))).toEqual(
      new Map([
        [late, 1],
        [later, 1],
      ]),
    );
    expect((await queue.claim(database.current, { ...minute, limit: 5 })).map(({ taskId }) => taskId)).toEqual([latest]);
    await endLeases();
    expect(await queue.claim(database.current, { ...minute, limit: 5 })).toHaveLength(3);
  });

  it('skips a row that another transaction has locked, and an acquisition waits for it', async () => {
    const taskId = await addTask(1);
    const acquired = await database.current.transaction(async (tx) => {
      await tx.sql`SELECT 1 FROM lease_tasks FOR UPDATE`;
      expect(await queue.claim(database.current, minute)).toEqual([]);
      return { row: queue.acquire(database.current, taskId, minute) };
    });
    expect(await acquired.row).toMatchObject({ taskId, attempts: 1 });
    expect(await queue.acquire(database.current, taskId, minute), 'while it is leased').toBeNull();
  });

  it('gives teams turns, whichever has rows that have waited longest', async () => {
    for (let count = 0; count < 3; count++) await addTask(100, 'large');
    await addTask(1, 'small');
    const teams: string[] = [];
    for (let count = 0; count < 4; count++) {
      const [row] = await queue.claim(database.current, { ...minute, rotation: taskRotation });
      teams.push(row?.teamId ?? '');
      await database.current.sql`
        INSERT INTO lease_turns VALUES (${row?.teamId ?? ''}, clock_timestamp()) ON CONFLICT (team_id) DO UPDATE SET last_turn_at = clock_timestamp()`;
    }
    expect(teams).toEqual(['large', 'small', 'large', 'large']);
  });

  it('ignores a lease that was given while the clock of the database was ahead', async () => {
    await addTask(1);
    await claimOne();
    await database.current.sql`UPDATE lease_tasks SET lease_until = now() + interval '2 hours'`;
    expect(await queue.claim(database.current, minute)).toHaveLength(1);
  });
});

describe('a holder', () => {
  it('that lost its lease can write nothing, whatever it tries', async () => {
    const taskId = await addTask(1);
    const former = await claimOne();
    await endLeases();
    const holder = await claimOne();
    const before = await read(taskId);
    const { current } = database;
    expect(await queue.renew(current, former, 60_000)).toBe(false);
    expect(await current.transaction((tx) => queue.lock(tx, former))).toBe(false);
    expect(await queue.release(current, former)).toBe(false);
    expect(await queue.retryLater(current, former, 0, 'broken')).toBe(false);
    expect(await queue.setAside(current, former, 'broken')).toBe(false);
    expect(await queue.finish(current, former)).toBe(false);
    expect(await read(taskId)).toEqual(before);
    expect(await current.transaction((tx) => queue.lock(tx, holder))).toBe(true);
    expect(await queue.finish(current, holder)).toBe(true);
    expect(await read(taskId)).toBeUndefined();
  });

  it('that released its lease leaves the row to the next one, without the attempt if it wants so', async () => {
    const taskId = await addTask(1);
    expect(await queue.release(database.current, await claimOne(), { isUncounted: true })).toBe(true);
    const next = await claimOne();
    expect(next).toMatchObject({ taskId, attempts: 1, leaseEpoch: 2n });
  });

  it('that retries later does not delay a row that was made due during the attempt', async () => {
    const [delayed, wanted] = [await addTask(2), await addTask(1)];
    const first = await claimOne();
    expect(await queue.retryLater(database.current, first, 3_600_000, 'broken')).toBe(true);
    const second = await claimOne();
    await database.current.sql`UPDATE lease_tasks SET due_at = clock_timestamp() WHERE task_id = ${wanted}`;
    expect(await queue.retryLater(database.current, second, 3_600_000, null)).toBe(true);
    expect((await queue.claim(database.current, { ...minute, limit: 5 })).map(({ taskId }) => taskId)).toEqual([wanted]);
    expect(await read(delayed)).toMatchObject({ last_error: 'broken', lease_until: null });
  });

  it('sets a row aside at its limit of attempts, with the reason, and never without a limit', async () => {
    const taskId = await addTask(1);
    const policy = { attemptsMax: 2, backoffMs: 0, backoffMaxMs: 0 };
    const error = new AppError({ code: 'partner_unavailable', kind: 'unavailable', message: 'away' });
    const fail = async (attemptsMax: number | null) => {
      const row = await claimOne();
      return retryOrSetAside(queue, database.current, { ...policy, attemptsMax }, { row, attempts: row.attempts, error });
    };
    expect([await fail(2), await fail(null), await fail(3)]).toEqual(['retried', 'retried', 'set_aside']);
    expect(await read(taskId)).toMatchObject({ due_at: null, lease_until: null, last_error: 'partner_unavailable', attempts: 3 });
    expect(await queue.claim(database.current, minute)).toEqual([]);
  });
});

/** A loop over the tasks; `attempt` decides what happens to one. */
function loopOf(
  attempt: (taskId: string, signal: AbortSignal) => Promise<void>,
  options: {
    readonly graceMs?: number;
    readonly logger?: Logger;
    readonly metrics?: Metrics;
    readonly claim?: () => Promise<never[]>;
  } = {},
): WorkerLoop {
  return createWorkerLoop({
    queue: 'tasks',
    logger: silentLogger,
    metrics: noMetrics,
    concurrency: 2,
    pollMs: 5,
    leaseMs: 60_000,
    renewMs: 5,
    claim: (limit) => queue.claim(database.current, { ...minute, limit }),
    renew: (row) => queue.renew(database.current, row, 60_000),
    release: (row) => queue.release(database.current, row, { isUncounted: true }),
    async attempt(row, signal) {
      await attempt(row.taskId, signal);
      return (await queue.finish(database.current, row)) ? 'done' : 'lost';
    },
    settleFailure: async (row) => ((await queue.retryLater(database.current, row, 60_000, 'broken')) ? 'retried' : 'lost'),
    ...options,
  });
}

describe('a stopped worker', () => {
  it('finishes what it can within the grace, and releases the rest at once', async () => {
    const [quick, slow] = [await addTask(2), await addTask(1)];
    const [stop, begun] = [new AbortController(), new Set<string>()];
    const outcomes: string[] = [];
    const metrics: Metrics = { ...noMetrics, count: (_name, labels) => void outcomes.push(String(labels?.['outcome'])) };
    const attempt = async (taskId: string, signal: AbortSignal) => {
      begun.add(taskId);
      await (taskId === quick ? waitUntilAborted(stop.signal) : waitUntilAborted(signal));
      if (taskId === slow) throw new Error('aborted');
    };
    const running = loopOf(attempt, { graceMs: 200, metrics }).run(stop.signal);
    await expect.poll(() => begun.size).toBe(2);
    await addTask(0);
    stop.abort();
    await running;
    expect(outcomes).toEqual(['done', 'released']);
    expect(await read(quick)).toBeUndefined();
    expect(await read(slow)).toMatchObject({ lease_until: null, attempts: 0 });
    expect(begun.size, 'nothing is claimed after the stop').toBe(2);
  });

  it('leaves behind an attempt that ignores its signal, whose writes are then refused', async () => {
    const taskId = await addTask(1);
    const [stop, gate] = [new AbortController(), Promise.withResolvers<void>()];
    const attempts: Promise<void>[] = [];
    const running = loopOf(() => attempts[attempts.push(gate.promise) - 1] ?? gate.promise, { graceMs: 0 }).run(stop.signal);
    await expect.poll(() => attempts.length).toBe(1);
    stop.abort();
    await running;
    gate.resolve();
    await Promise.all(attempts);
    expect(await claimOne()).toMatchObject({ taskId });
  });
});

describe('a worker', () => {
  it('stops an attempt whose lease was taken, and counts it as lost', async () => {
    const taskId = await addTask(1);
    const outcomes: string[] = [];
    const metrics: Metrics = { ...noMetrics, count: (_name, labels) => void outcomes.push(String(labels?.['outcome'])) };
    const attempt = async (_taskId: string, signal: AbortSignal) => {
      await database.current.sql`UPDATE lease_tasks SET lease_epoch = lease_epoch + 1`;
      await waitUntilAborted(signal);
      throw new Error('aborted');
    };
    expect(await loopOf(attempt, { metrics }).workOne(new AbortController().signal)).toBe(true);
    expect(outcomes).toEqual(['lost']);
    expect(await read(taskId)).toMatchObject({ last_error: null });
  });

  it('that cannot claim says so once, and once more when it can again', async () => {
    const lines: string[] = [];
    const write = (_fields: object, event: string) => void lines.push(event);
    const logger: Logger = { ...silentLogger, error: write, info: write };
    const stop = new AbortController();
    let claims = 0;
    const claim = async () => {
      claims += 1;
      if (claims < 5) throw new Error('away');
      return [];
    };
    const running = loopOf(async () => {}, { logger, claim }).run(stop.signal);
    await expect.poll(() => claims).toBeGreaterThan(6);
    stop.abort();
    await running;
    expect(lines).toEqual(['queue.claim_failed', 'queue.claim_recovered']);
  });
});
