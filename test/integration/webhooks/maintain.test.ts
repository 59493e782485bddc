import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, uuidv7 } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { maintainLog } from '@pulsewire/eventlog';
import { createAddressGuard } from '@pulsewire/outbound';
import { createEndpoint, findLongSchedules, maintainAttempts, oldestPendingDay } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase();
const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'] as const;

type Progress = { points: { shard: number; offset: number }[]; shardCount: number };

async function insertAttempt(day: string): Promise<void> {
  await file.current.sql`
    INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, duration_ms, event_type)
    VALUES (${day}, ${uuidv7()}, ${day}, ${uuidv7()}, 1, 1, ${day}, 1, 1, 5, 'daily.data.sleep.created')`;
}

async function insertEvent(day: string, offset: number, shard = 1): Promise<void> {
  await file.current.sql`
    INSERT INTO log_events (shard, "offset", day, event_id, event_type, team_id, is_historical, written_at, json)
    VALUES (${shard}, ${offset}, ${day}, ${uuidv7()}, 'daily.data.sleep.created', ${uuidv7()}, false, 0, '{}')`;
}

const daysOf = async (table: string) =>
  (await file.current.sql.unsafe<{ day: string }[]>(`SELECT DISTINCT day::text AS day FROM ${table} ORDER BY day`)).map(({ day }) => day);

beforeEach(async () => {
  await file.current.sql`DELETE FROM webhook_attempts`;
  await file.current.sql`DELETE FROM log_events`;
});

describe('retention', () => {
  it('drops whole expired days of attempts and keeps the others', async () => {
    await maintainAttempts(file.current, { today: '2026-01-01', keepDays: 2 });
    for (const day of days) await insertAttempt(day);
    expect(await maintainAttempts(file.current, { today: '2026-01-04', keepDays: 2 })).toEqual(['webhook_attempts_20260101']);
    expect(await daysOf('webhook_attempts')).toEqual(days.slice(1));
    expect(await maintainAttempts(file.current, { today: '2026-01-04', keepDays: 2 })).toEqual([]);
  });

  it('drops expired days of the log that every consumer has passed', async () => {
    const { sql } = file.current;
    await maintainLog(file.current, { today: '2026-01-01', keepDays: 1 });
    for (const [offset, day] of days.entries()) await insertEvent(day, offset);
    await sql`UPDATE log_shards SET next_offset = 4 WHERE shard = 1`;
    await sql`INSERT INTO log_positions (consumer, shard, "offset", day) VALUES ('dispatcher', 1, 0, ${days[0] ?? ''})`;
    const moveTo = (offset: number) => sql`
      UPDATE log_positions SET "offset" = ${offset}, day = ${days[offset] ?? '2026-01-05'} WHERE consumer = 'dispatcher' AND shard = 1`;
    await moveTo(1);
    expect(await maintainLog(file.current, { today: '2026-01-05', keepDays: 1 })).toEqual(['log_events_20260101']);
    await moveTo(4);
    expect(await maintainLog(file.current, { today: '2026-01-05', keepDays: 1 })).toEqual(['log_events_20260102', 'log_events_20260103']);
    expect(await daysOf('log_events')).toEqual(['2026-01-04']);
  });

  it('keeps the days of the log that a waiting delivery or a running replay still needs', async () => {
    const { current: database } = file;
    await database.sql`DELETE FROM log_positions`;
    await maintainLog(database, { today: '2026-01-01', keepDays: 1 });
    const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
    const clock = createManualClock(new Date('2026-01-04T10:00:00Z'));
    const teamId = uuidv7();
    const { id } = await createEndpoint({ database, cipher, clock }, teamId, { url: 'https://example.org' });
    const neededFrom = () => oldestPendingDay(database, '2026-01-04');
    const replay = (status: string, since: string) => database.sql`
      INSERT INTO webhook_replays (replay_id, team_id, endpoint_id, since, until, selection, status, created_at)
      VALUES (${uuidv7()}, ${teamId}, ${id}, ${since}, '2026-01-04', 'all', ${status}, '2026-01-04')`;
    await replay('completed', '2026-01-01');
    await replay('running', '2026-01-03');
    expect(await neededFrom()).toBe('2026-01-03');
    await database.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
      VALUES (${id}, ${uuidv7()}, 1, 1, '2026-01-02', 3, now())`;
    expect(await neededFrom()).toBe('2026-01-02');
    const drop = async () => maintainLog(database, { today: '2026-01-06', keepDays: 1, neededFrom: await neededFrom() });
    expect(await drop()).not.toContain('log_events_20260102');
    await database.sql`UPDATE webhook_endpoints SET is_disabled = true, disabled_at = '2026-01-03' WHERE endpoint_id = ${id}`;
    expect(await neededFrom()).toBeNull();
    expect(await drop()).toContain('log_events_20260102');
    await database.sql`DELETE FROM webhook_replays`;
    await database.sql`DELETE FROM webhook_pending`;
  });

  it('releases only the days that every running replay has passed', async () => {
    const { current: database } = file;
    await database.sql`DELETE FROM log_positions`;
    await maintainLog(database, { today: '2026-01-01', keepDays: 1 });
    const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
    const clock = createManualClock(new Date('2026-01-04T10:00:00Z'));
    const teamId = uuidv7();
    for (const [offset, day] of days.entries()) {
      await insertEvent(day, offset);
      await insertEvent(day, offset, 2);
    }
    const neededFrom = () => oldestPendingDay(database, '2026-01-04');
    const replay = async (progress: Progress | null) => {
      const { id } = await createEndpoint({ database, cipher, clock }, teamId, { url: 'https://example.org' });
      const replayId = uuidv7();
      await database.sql`
        INSERT INTO webhook_replays (replay_id, team_id, endpoint_id, since, until, selection, status, created_at, progress)
        VALUES (${replayId}, ${teamId}, ${id}, '2026-01-01', '2026-01-04', 'all', 'running', '2026-01-04', ${progress && JSON.stringify(progress)}::text::jsonb)`;
      return (next: Progress) =>
        database.sql`UPDATE webhook_replays SET progress = ${JSON.stringify(next)}::text::jsonb WHERE replay_id = ${replayId}`;
    };
    const point = (shard: number, offset: number) => ({ shard, offset });
    const moveOne = await replay(null);
    expect(await neededFrom()).toBe('2026-01-01');
    await moveOne({ points: [point(1, 1), point(2, 2)], shardCount: 64 });
    expect(await neededFrom()).toBe('2026-01-02');
    await moveOne({ points: [point(2, 3)], shardCount: 64 });
    const moveOther = await replay({ points: [point(1, 2), point(2, 4)], shardCount: 64 });
    expect(await neededFrom()).toBe('2026-01-03');
    await moveOther({ points: [point(2, 4)], shardCount: 64 });
    expect(await neededFrom()).toBe('2026-01-04');
    // Shards that were added to the log since then belong to the replay from their first event on; here the last one.
    await moveOther({ points: [point(2, 4)], shardCount: 63 });
    await insertEvent('2026-01-02', 9, 63);
    expect(await neededFrom()).toBe('2026-01-02');
    expect(await maintainLog(database, { today: '2026-01-06', keepDays: 1, neededFrom: await neededFrom() })).toEqual([
      'log_events_20260101',
    ]);
    await database.sql`DELETE FROM webhook_replays`;
  });

  it('keeps a replay for as long as one of its deliveries waits', async () => {
    const { sql } = file.current;
    const replayId = uuidv7();
    await sql`
      INSERT INTO webhook_replays (replay_id, team_id, endpoint_id, since, until, selection, status, created_at, ended_at)
      VALUES (${replayId}, ${uuidv7()}, ${uuidv7()}, '2025-12-01', '2025-12-02', 'all', 'completed', '2025-12-02', '2025-12-03')`;
    const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
    const clock = createManualClock(new Date('2026-01-04T10:00:00Z'));
    const { id } = await createEndpoint({ database: file.current, cipher, clock }, uuidv7(), { url: 'https://example.org' });
    await sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, replay_id)
      VALUES (${id}, ${uuidv7()}, 1, 1, '2026-01-02', 3, now(), ${replayId})`;
    const count = async () => (await sql`SELECT 1 FROM webhook_replays WHERE replay_id = ${replayId}`).length;
    await maintainAttempts(file.current, { today: '2026-01-20', keepDays: 2 });
    expect(await count()).toBe(1);
    await sql`DELETE FROM webhook_pending`;
    await maintainAttempts(file.current, { today: '2026-01-20', keepDays: 2 });
    expect(await count()).toBe(0);
  });

  it('rejects a retry schedule that lasts longer than events are kept', async () => {
    const { current: database } = file;
    const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
    const context = { database, cipher, clock: createManualClock(new Date('2026-01-04T10:00:00Z')), keptDays: 30 };
    const week = 604_800;
    await expect(
      createEndpoint(context, uuidv7(), { url: 'https://example.org', schedule: Array.from({ length: 20 }, () => week) }),
    ).rejects.toMatchObject({ code: 'schedule_invalid', message: expect.stringContaining('168 days') as string });
    await expect(createEndpoint(context, uuidv7(), { url: 'https://example.org', schedule: [week, week, week] })).resolves.toBeDefined();
  });

  it('lists endpoints whose schedule outlasts the current retention of events', async () => {
    const { current: database } = file;
    const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
    const context = { database, cipher, clock: createManualClock(new Date('2026-01-04T10:00:00Z')), keptDays: 90 };
    const teamId = uuidv7();
    const week = 604_800;
    const make = (schedule: number[] | null) => createEndpoint(context, teamId, { url: 'https://example.org', schedule });
    const { id } = await make(Array.from({ length: 5 }, () => week));
    await make([week, week]);
    await make(null);
    const ofTeam = async (keptDays: number) => (await findLongSchedules(database, keptDays)).filter((one) => one.teamId === teamId);
    expect(await ofTeam(30)).toEqual([{ endpointId: id, teamId, days: 42 }]);
    expect(await ofTeam(60)).toEqual([]);
  });

  it('also drops rows that went to the default partition', async () => {
    await insertAttempt('2025-12-01');
    await insertEvent('2025-12-01', 9);
    await maintainAttempts(file.current, { today: '2026-01-04', keepDays: 2 });
    await maintainLog(file.current, { today: '2026-01-04', keepDays: 2 });
    expect([...(await daysOf('webhook_attempts')), ...(await daysOf('log_events'))]).toEqual([]);
  });

  it('removes replays and test events together with attempts of the same age', async () => {
    const { sql } = file.current;
    const at = (endedAt: string | null) => sql`
      INSERT INTO webhook_replays (replay_id, team_id, endpoint_id, since, until, selection, status, created_at, ended_at)
      VALUES (${uuidv7()}, ${uuidv7()}, ${uuidv7()}, '2025-12-01', '2025-12-02', 'all', 'completed', '2025-12-02', ${endedAt})`;
    for (const endedAt of ['2026-01-01T23:00:00Z', '2026-01-02T01:00:00Z', null]) await at(endedAt);
    for (const madeAt of ['2026-01-01T23:00:00Z', '2026-01-02T01:00:00Z'])
      await sql`INSERT INTO webhook_test_events (event_id, team_id, endpoint_id, event_type, created_at)
                VALUES (${uuidv7()}, ${uuidv7()}, ${uuidv7()}, 'x', ${madeAt})`;
    await maintainAttempts(file.current, { today: '2026-01-04', keepDays: 2 });
    const [counts] = await sql`
      SELECT (SELECT count(*)::int FROM webhook_replays) AS replays, (SELECT count(*)::int FROM webhook_test_events) AS tests`;
    expect(counts).toEqual({ replays: 2, tests: 1 });
  });
});

it('maintenance removes the waiting deliveries of deleted endpoints, and no others', async () => {
  const { current: database } = file;
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
  const clock = createManualClock(new Date('2026-01-04T10:00:00Z'));
  const { id } = await createEndpoint({ database, cipher, clock, guard: createAddressGuard() }, uuidv7(), { url: 'https://example.org' });
  for (const endpointId of [id, uuidv7()]) {
    await database.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
      VALUES (${endpointId}, ${uuidv7()}, 1, 5, '2026-01-04', 1, now())`;
  }
  await maintainAttempts(database, { today: '2026-01-04', keepDays: 90 });
  expect(await database.sql`SELECT endpoint_id FROM webhook_pending`).toEqual([{ endpoint_id: id }]);
});
