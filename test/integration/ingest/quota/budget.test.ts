import { createManualClock, type Clock } from '@pulsewire/kernel';
import { createBudgets, admitNext, joinQueue, mayStart, type BudgetKey, type Budgets } from '@pulsewire/ingest';
import type { QuotaRule } from '@pulsewire/providers';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../support/database.ts';

const database = useDatabase({ connectionsMax: 20 });
const minuteMs = 60_000;
const rule: QuotaRule = { scope: 'app', requests: 100, perMs: minuteMs, window: 'sliding' };
const platform: BudgetKey = { provider: 'wristband', owner: 'platform', connectionId: null, rules: [rule] };
let clock: Clock & { advance(ms: number): void };
const open = (): Budgets => createBudgets({ database: database.current, clock }, 0.2);

beforeEach(async () => {
  await database.current.sql`TRUNCATE pull_plans, provider_budgets CASCADE`;
  clock = createManualClock(new Date('2026-03-20T12:00:00Z'));
});

/** Calls until nothing is granted; returns how many were made. */
async function exhaust(budgets: Budgets, key = platform, lane: 'live' | 'backfill' = 'live', most = 1000): Promise<number> {
  for (let calls = 0; calls < most; calls++) {
    if (!(await budgets.take(key, lane)).isGranted) return calls;
    budgets.callEnded(key);
  }
  return most;
}

describe('an application quota', () => {
  test('is never exceeded by two processes together, and is fully used', async () => {
    const [one, two] = [open(), open()];
    const counts = await Promise.all([exhaust(one), exhaust(one), exhaust(two), exhaust(two)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100);
    clock.advance(minuteMs - 1);
    expect(await exhaust(two)).toBe(0);
    clock.advance(5000);
    expect(await exhaust(one)).toBe(100);
  });

  test("of a team is separate from the platform's", async () => {
    const budgets = open();
    expect(await exhaust(budgets, { ...platform, owner: 'a-team' })).toBe(100);
    expect(await exhaust(budgets)).toBe(100);
  });

  test('is counted by the clock of the database when the real clock is used', async () => {
    const budgets = createBudgets(
      { database: database.current, clock: { now: () => new Date('2001-01-01T00:00:00Z'), monotonicMs: () => performance.now() } },
      0.2,
    );
    expect(await exhaust(budgets)).toBe(100);
    const { systemClock } = await import('@pulsewire/kernel');
    expect(await exhaust(createBudgets({ database: database.current, clock: systemClock }, 0.2))).toBe(100);
  });
});

describe('a 429 with Retry-After', () => {
  test('stops every process until that time', async () => {
    const [one, two] = [open(), open()];
    expect(await exhaust(one, platform, 'live', 3)).toBe(3);
    expect(await exhaust(two, platform, 'live', 3)).toBe(3);
    await one.stop(platform, 20_000);
    expect(await exhaust(one)).toBe(0);
    // Grants that the other process already holds end within the slack, here 0.6 s.
    clock.advance(1000);
    expect(await exhaust(two)).toBe(0);
    expect(await two.take(platform, 'live')).toEqual({ isGranted: false, freeInMs: 19_000 });
    clock.advance(19_000);
    expect(await exhaust(two)).toBeGreaterThan(0);
  });
});

describe('headers', () => {
  test('that report nothing left stop the other processes at once, until the reset', async () => {
    const [one, two] = [open(), open()];
    await one.take(platform, 'live');
    one.reported(platform, [{ scope: 'app', perMs: minuteMs, limit: 100, remaining: 0, resetAfterMs: 30_000 }]);
    one.callEnded(platform);
    await one.settle(platform);
    expect(await exhaust(two)).toBe(0);
    clock.advance(30_000);
    expect(await exhaust(two)).toBe(99);
  });

  test('that count requests by others leave only the rest, and raise the limit', async () => {
    const budgets = open();
    await budgets.take(platform, 'live');
    budgets.reported(platform, [{ scope: 'app', perMs: minuteMs, limit: 300, remaining: 250, resetAfterMs: 30_000 }]);
    budgets.callEnded(platform);
    expect(await exhaust(budgets)).toBe(250);
  });
});

describe('the state of a budget that is rarely used', () => {
  test('is written before it is forgotten, so that another process respects headers and the cost of turns', async () => {
    const hourly: BudgetKey = { ...platform, rules: [{ ...rule, requests: 1000, perMs: 60 * minuteMs }] };
    const [one, two] = [open(), open()];
    for (let calls = 0; calls < 5; calls++) {
      expect((await one.take(hourly, 'live')).isGranted).toBe(true);
      one.reported(hourly, [{ scope: 'app', perMs: 60 * minuteMs, limit: 200, remaining: 20, resetAfterMs: 10 * minuteMs }]);
      one.callEnded(hourly);
      one.turnEnded(hourly, 'live', 1);
      clock.advance(5000);
      await one.returnUnused();
    }
    expect(await exhaust(two, hourly)).toBe(20);
    const [row] = await database.current.sql<{ state: string }[]>`SELECT state::text FROM provider_budgets`;
    expect(JSON.parse(row?.state ?? '')).toMatchObject({ cost: { live: { calls: 5, turns: 5 } } });
  });

  test('is written even if another cannot be, and the failure is reported', async () => {
    const [idle, busy] = [open(), open()];
    const broken: BudgetKey = { ...platform, owner: 'none', connectionId: 'none', rules: [{ ...rule, scope: 'user' }] };
    idle.reported(broken, [{ scope: 'user', perMs: minuteMs, limit: 100, remaining: 50, resetAfterMs: minuteMs }]);
    for (let calls = 0; calls < 8; calls++) await idle.take(platform, 'live');
    clock.advance(1000);
    await expect(idle.returnUnused()).rejects.toThrow('uuid');
    expect(await exhaust(busy)).toBe(92);
  });
});

describe('a process that crashes', () => {
  test('loses its unused grants for no longer than a window', async () => {
    const dead = open();
    // Blocks grow while they are used up in time.
    for (let calls = 0; calls < 8; calls++) expect((await dead.take(platform, 'live')).isGranted).toBe(true);
    const left = open();
    const used = await exhaust(left);
    expect(used).toBeGreaterThan(100 - 8 - 16);
    expect(used).toBeLessThan(92);
    clock.advance(minuteMs + 5000);
    expect(await exhaust(left)).toBe(100);
  });

  test('that keeps running returns what it did not use', async () => {
    const [idle, busy] = [open(), open()];
    for (let calls = 0; calls < 8; calls++) await idle.take(platform, 'live');
    clock.advance(1000);
    await idle.returnUnused();
    expect(await exhaust(busy)).toBe(92);
  });
});

test('backfills leave live calls their share of the quota', async () => {
  const budgets = open();
  expect(await exhaust(budgets, platform, 'backfill')).toBe(80);
  expect(await exhaust(budgets)).toBe(20);
});

const insertPlan = async (servedAt: string | null = null): Promise<string> => {
  const [row] = await database.current.sql<{ connection_id: string }[]>`
    INSERT INTO pull_plans (connection_id, team_id, user_id, provider, next_pull_at, account_due_at, created_at, served_at)
    VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'wristband', now(), now(), now(), ${servedAt}) RETURNING connection_id`;
  return row?.connection_id ?? '';
};

describe('turns', () => {
  const turns = async (): Promise<readonly string[]> => {
    const given: string[] = [];
    const connectorFor = (slug: string) => ({ slug, quotas: [rule] });
    const admit = async (connectionId: string, lane: string) => void given.push(`${lane} ${connectionId}`);
    await admitNext({ database: database.current, clock, connectorFor, liveShare: 0.2, admit });
    return given.toSorted();
  };
  const wait = (connectionId: string, lane: 'live' | 'backfill') =>
    joinQueue(database.current, connectionId, { owner: platform.owner, lane: lane, isInterrupted: false, now: clock.now() });

  test('go to new connections, then to those served longest ago, as many as the quota allows', async () => {
    const [recent, old, fresh] = [await insertPlan('2026-03-20T11:00:00Z'), await insertPlan('2026-03-20T03:00:00Z'), await insertPlan()];
    for (const connectionId of [recent, old, fresh]) await wait(connectionId, 'live');
    expect(await exhaust(open(), platform, 'live', 99)).toBe(99);
    await database.current.sql`UPDATE provider_budgets SET state = jsonb_set(state, '{rules,60000,slots,0,1}', '99')`;
    // One for the call that is left, and one ahead.
    expect(await turns()).toEqual([`live ${fresh}`, `live ${old}`].toSorted());
  });

  test('go to backfills only when no live pull waits', async () => {
    const [live, history] = [await insertPlan(), await insertPlan()];
    await wait(live, 'live');
    await wait(history, 'backfill');
    expect(await exhaust(open(), platform, 'backfill')).toBe(0);
    expect(await turns()).toEqual([`live ${live}`]);
    await database.current.sql`UPDATE pull_plans SET turn_at = NULL`;
    expect(await turns()).toEqual([`backfill ${history}`]);
  });
});

describe('a connection that is paused', () => {
  const turnsOf = async (): Promise<readonly string[]> => {
    const given: string[] = [];
    const connectorFor = (slug: string) => ({ slug, quotas: [rule] });
    const admit = async (connectionId: string, lane: string) => void given.push(`${lane} ${connectionId}`);
    await admitNext({ database: database.current, clock, connectorFor, liveShare: 0.2, admit });
    return given;
  };

  test('gets no turn until its pause is over, and delays no other connection', async () => {
    const [paused, other, history] = [await insertPlan(), await insertPlan('2026-03-20T03:00:00Z'), await insertPlan()];
    for (const connectionId of [paused, other])
      await joinQueue(database.current, connectionId, { owner: platform.owner, lane: 'live', isInterrupted: false, now: clock.now() });
    await joinQueue(database.current, history, { owner: platform.owner, lane: 'backfill', isInterrupted: false, now: clock.now() });
    await database.current
      .sql`UPDATE pull_plans SET resume_at = ${new Date(clock.now().getTime() + minuteMs).toISOString()} WHERE connection_id = ${paused}`;
    expect(await exhaust(open(), platform, 'live', 1)).toBe(1);
    expect(await turnsOf()).toEqual([`live ${other}`]);
    await database.current.sql`UPDATE pull_plans SET turn_at = NULL`;
    expect(await turnsOf()).toEqual([`backfill ${history}`]);
    await database.current.sql`UPDATE pull_plans SET turn_at = NULL`;
    clock.advance(minuteMs);
    expect(await turnsOf()).toEqual([`live ${paused}`]);
  });

  test('gets no turn for its history while only its history is paused', async () => {
    const paused = await insertPlan();
    await joinQueue(database.current, paused, { owner: platform.owner, lane: 'backfill', isInterrupted: false, now: clock.now() });
    await database.current.sql`UPDATE pull_plans SET backfill_resume_at = ${new Date(clock.now().getTime() + minuteMs).toISOString()}`;
    expect(await exhaust(open(), platform, 'live', 1)).toBe(1);
    expect(await turnsOf()).toEqual([]);
    clock.advance(minuteMs);
    expect(await turnsOf()).toEqual([`backfill ${paused}`]);
  });
});

describe('a start while others wait', () => {
  const seekerOf = (connectionId: string) => ({
    connector: { slug: 'wristband', quotas: [rule] },
    connection: { connectionId, application: 'platform' as const, teamId: crypto.randomUUID() },
  });
  const withDueWindow = async (acceptedAt: string | null): Promise<string> => {
    const connectionId = await insertPlan();
    await database.current
      .sql`UPDATE pull_plans SET account_due_at = now() + interval '100 years', created_at = '2026-03-20T11:00:00Z' WHERE connection_id = ${connectionId}`;
    await database.current.sql`
      INSERT INTO pull_windows (connection_id, team_id, user_id, pull, rank, resources, lane, start_date, end_date, state, due_at, planned_at, accepted_at)
      SELECT connection_id, team_id, user_id, 'moves', 0, '{steps}', 'backfill', '2026-03-10', '2026-03-14', 'planned', '2026-03-20T11:30:00Z', '2026-03-20T11:00:00Z', ${acceptedAt}
      FROM pull_plans WHERE connection_id = ${connectionId}`;
    return connectionId;
  };

  test('is allowed only for windows whose request was accepted under the current link; the others queue', async () => {
    await joinQueue(database.current, await insertPlan(), {
      owner: platform.owner,
      lane: 'backfill',
      isInterrupted: false,
      now: clock.now(),
    });
    const start = async (acceptedAt: string | null) => mayStart(database.current, seekerOf(await withDueWindow(acceptedAt)), clock.now());
    expect(await start('2026-03-20T11:20:00Z')).toBe(true);
    expect(await start('2026-03-20T10:00:00Z')).toBe(false);
    expect(await start(null)).toBe(false);
  });
});

describe('a quota of one user', () => {
  const plan = async () => {
    const connectionId = await insertPlan();
    const rules: readonly QuotaRule[] = [{ scope: 'user', requests: 10, perMs: 3_600_000, window: 'aligned' }];
    return { connectionId, key: { provider: 'wristband', owner: connectionId, connectionId, rules } satisfies BudgetKey };
  };

  test('survives a restart, and is not shared with other users', async () => {
    const [first, second] = [await plan(), await plan()];
    expect(await exhaust(open(), first.key)).toBe(10);
    const restarted = open();
    expect(await exhaust(restarted, first.key)).toBe(0);
    expect(await exhaust(restarted, second.key)).toBe(10);
    clock.advance(3_602_000);
    expect(await exhaust(restarted, first.key)).toBe(10);
  });

  test('is forgotten with the connection', async () => {
    const { connectionId, key } = await plan();
    await exhaust(open(), key);
    await database.current.sql`DELETE FROM pull_plans WHERE connection_id = ${connectionId}`;
    expect((await database.current.sql`SELECT 1 FROM provider_budgets`).length).toBe(0);
  });

  test('is not recreated by outstanding grants or a call after its connection was removed', async () => {
    const { connectionId, key } = await plan();
    const budgets = open();
    for (let calls = 0; calls < 2; calls++) await budgets.take(key, 'live');
    await database.current.sql`DELETE FROM pull_plans WHERE connection_id = ${connectionId}`;
    clock.advance(60_000);
    await budgets.returnUnused();
    await expect(budgets.take(key, 'live')).rejects.toMatchObject({ code: 'connection_not_found' });
    expect((await database.current.sql`SELECT 1 FROM provider_budgets`).length).toBe(0);
  });
});
