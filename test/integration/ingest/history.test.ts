import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { completeIdleHistories, planHistoricalPull, readCoverage, readProgress } from '@pulsewire/ingest';
import { useDatabase } from '../../support/database.ts';
import { createHarness, eventsOf, samplesOf, today, windowsOf, type Harness } from './support/harness.ts';

const database = useDatabase();
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness(database.current);
});
afterAll(() => harness.close());

describe('a linked connection', () => {
  test('reads its whole history across chunk boundaries, each day once, today as live data', async () => {
    const { connectionId, userId } = await harness.link();
    await harness.ingest.drain();

    const windows = await windowsOf(database.current, connectionId);
    expect(windows.every((window) => window.state === 'done' && window.runs === 1)).toBe(true);
    const days = harness.wristband.calls.filter((call) => call.path.startsWith('/moves/')).map((call) => call.day);
    expect(new Set(days).size).toBe(days.length);
    expect(days.length).toBe(11);
    expect(days[0]).toBe(today);
    // Three samples a day: 11 days of steps and of distance, 21 days of weight.
    expect(await samplesOf(database.current, userId)).toBe(3 * (11 + 11 + 21));
    const live = await eventsOf(database.current, userId, 'daily.data.steps.created');
    expect(live.filter((event) => !event.is_historical)).toHaveLength(1);
    expect(live.filter((event) => event.is_historical)).toHaveLength(10);
  });

  test('emits one completed event per resource, after all of its data, with the range that was read', async () => {
    const { userId } = await harness.link();
    await harness.ingest.drain();
    const events = await eventsOf(database.current, userId, 'historical.%');
    expect(events.map((event) => event.event_type).toSorted()).toEqual([
      'historical.data.distance.created',
      'historical.data.steps.created',
      'historical.data.weight.created',
    ]);
    const ofSteps = (await eventsOf(database.current, userId, '%steps%')).map((event) => event.event_type);
    expect(ofSteps.lastIndexOf('daily.data.steps.created')).toBeLessThan(ofSteps.indexOf('historical.data.steps.created'));
    const steps = events.find((event) => event.event_type === 'historical.data.steps.created');
    expect(JSON.parse(steps?.json ?? '')).toEqual({
      user_id: userId,
      start_date: '2026-03-10T00:00:00+00:00',
      end_date: '2026-03-20T09:00:00+00:00',
      provider: 'wristband',
      gaps: null,
    });
  });

  test('changes nothing when read again as a whole, emits no data event, and completes once more', async () => {
    const { connectionId, userId } = await harness.link();
    await harness.ingest.drain();
    const before = await eventsOf(database.current, userId, 'daily.%');
    const stored = (await readProgress(database.current, { teamId: harness.teamId, userId })).samplesStored;
    await database.current.transaction((tx) => planHistoricalPull(harness.plan, tx, connectionId));
    await harness.ingest.drain();
    expect(await eventsOf(database.current, userId, 'daily.%')).toEqual(before);
    expect((await readProgress(database.current, { teamId: harness.teamId, userId })).samplesStored).toBe(stored);
    expect(await eventsOf(database.current, userId, 'historical.data.weight.created')).toHaveLength(2);
    expect(
      (await windowsOf(database.current, connectionId)).filter((window) => window.lane === 'backfill').every((window) => window.runs === 2),
    ).toBe(true);
  });

  test('completes each resource once even if all of its windows had been given up', async () => {
    const { connectionId, userId } = await harness.link();
    await harness.ingest.drain();
    const at = harness.clock.now().toISOString();
    await database.current.sql`
      UPDATE pull_windows SET state = 'given_up', error_code = 'window_exceeds_quota', finished_at = ${at}
      WHERE connection_id = ${connectionId} AND lane = 'backfill'`;
    await database.current.transaction((tx) => planHistoricalPull(harness.plan, tx, connectionId));
    await harness.ingest.drain();
    const context = { database: database.current, clock: harness.clock };
    await Promise.all([completeIdleHistories(context), completeIdleHistories(context)]);
    await completeIdleHistories(context);
    for (const resource of ['steps', 'distance', 'weight'])
      expect(await eventsOf(database.current, userId, `historical.data.${resource}.created`)).toHaveLength(2);
  });

  test('can be planned again without a deadlock while one of its windows ends', async () => {
    const { connectionId } = await harness.link();
    await harness.ingest.drain();
    let planned: Promise<unknown> | undefined;
    // Locks as the end of a window does: its row first, then the history.
    await database.current.transaction(async ({ sql }) => {
      await sql`SELECT 1 FROM pull_windows WHERE connection_id = ${connectionId} AND lane = 'backfill' ORDER BY window_id LIMIT 1 FOR UPDATE`;
      planned = database.current.transaction((tx) => planHistoricalPull(harness.plan, tx, connectionId));
      planned.catch(() => {});
      await vi.waitUntil(async () => {
        const waiting = await database.current
          .sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      await sql`SELECT 1 FROM historical_pulls WHERE connection_id = ${connectionId} ORDER BY resource FOR UPDATE`;
    });
    await expect(planned).resolves.toBe(true);
    await harness.ingest.drain();
  });

  test('reads only the days that its user allows', async () => {
    harness.wristband.calls.length = 0;
    const { connectionId } = await harness.link({ ingestionStart: '2026-03-15', ingestionEnd: '2026-03-17' });
    await harness.ingest.drain();
    const days = [...new Set(harness.wristband.calls.map((call) => call.day))].toSorted();
    expect(days).toEqual(['2026-03-15', '2026-03-16', '2026-03-17']);
    expect((await windowsOf(database.current, connectionId)).every((window) => window.lane === 'backfill')).toBe(true);
  });

  test('reads as many days as its team configured, within the limit of the provider', async () => {
    const daysOf = async (historyDays: number | null) => {
      await updateTeam(database.current, harness.teamId, { historyDays });
      const { connectionId } = await harness.link();
      const windows = (await windowsOf(database.current, connectionId)).filter(({ lane }) => lane === 'backfill');
      const first = (pull: string) =>
        windows
          .filter((window) => window.pull === pull)
          .map((window) => window.start_date)
          .toSorted()[0];
      await harness.ingest.drain();
      return { moves: first('moves'), scales: first('scales') };
    };
    expect(await daysOf(365)).toEqual({ moves: '2026-03-05', scales: '2026-02-28' });
    expect(await daysOf(5)).toEqual({ moves: '2026-03-15', scales: '2026-03-15' });
    expect(await daysOf(null)).toEqual({ moves: '2026-03-10', scales: '2026-02-28' });
  });

  test('does not request what the user did not grant', async () => {
    harness.wristband.calls.length = 0;
    const { userId } = await harness.link({ scopes: ['scale'] });
    await harness.ingest.drain();
    expect(harness.wristband.calls.every((call) => call.path.startsWith('/scales/'))).toBe(true);
    expect((await eventsOf(database.current, userId, 'historical.%')).map((event) => event.event_type)).toEqual([
      'historical.data.weight.created',
    ]);
  });
});

describe('live data', () => {
  test("is read before history, in the connector's order, and history is read newest days first", async () => {
    harness.wristband.calls.length = 0;
    await harness.link();
    await harness.ingest.drain();
    const first = harness.wristband.calls.slice(0, 2);
    expect(first.map((call) => call.path)).toEqual([`/moves/${today}`, `/scales/${today}`]);
    const moves = harness.wristband.calls.filter((call) => call.path.startsWith('/moves/')).map((call) => call.day);
    expect(moves.slice(1, 5)).toEqual(['2026-03-16', '2026-03-17', '2026-03-18', '2026-03-19']);
    expect(moves.at(-1)).toBe('2026-03-11');
  });

  test('is read again on schedule, and only what was revised is written', async () => {
    const { connectionId, userId } = await harness.link();
    await harness.ingest.drain();
    const before = (await eventsOf(database.current, userId, 'daily.data.steps.%')).length;
    harness.wristband.setValue('moves', '2026-03-19', 777_000);
    harness.clock.advance(70 * 60_000);
    await harness.planDuePulls();
    await harness.ingest.drain();
    const events = await eventsOf(database.current, userId, 'daily.data.steps.%');
    expect(events.slice(before).map((event) => event.event_type)).toEqual(['daily.data.steps.updated']);
    const live = (await windowsOf(database.current, connectionId)).filter((window) => window.lane === 'live' && window.pull === 'moves');
    expect(live.reduce((sum, window) => sum + Number(window.samples_updated), 0)).toBe(6);
  });

  test('backfills a gap between polls from the last day read', async () => {
    const { connectionId } = await harness.link();
    await harness.ingest.drain();
    harness.wristband.calls.length = 0;
    harness.clock.advance(5 * 86_400_000);
    await harness.planDuePulls();
    await harness.ingest.drain();
    const days = new Set(harness.wristband.calls.filter((call) => call.path.startsWith('/moves/')).map((call) => call.day));
    expect([...days].toSorted()).toEqual([
      '2026-03-18',
      '2026-03-19',
      '2026-03-20',
      '2026-03-21',
      '2026-03-22',
      '2026-03-23',
      '2026-03-24',
      '2026-03-25',
    ]);
    expect((await windowsOf(database.current, connectionId)).every((window) => window.state === 'done')).toBe(true);
  });
});

describe('the record of pulls', () => {
  test('shows why a day is empty and how far pulling has advanced', async () => {
    const { userId, teamId } = await harness.link();
    const day = harness.clock.now().toISOString().slice(0, 10);
    harness.wristband.setValue('scales', day, -1);
    await harness.ingest.drain();
    const windows = await readCoverage(database.current, { teamId, userId, day });
    expect(windows.find((window) => window.pull === 'scales')).toMatchObject({
      state: 'done',
      samplesReceived: 0,
      quarantined: 1,
      errorCode: null,
    });
    const [aside] = await database.current.sql`SELECT resource, reason, pointer FROM quarantine WHERE user_id = ${userId}`;
    expect(aside).toEqual({ resource: 'weight', reason: 'bad_number', pointer: `/${day}` });
    const progress = await readProgress(database.current, { teamId, userId });
    expect(progress.windowsDone).toBe(progress.windowsTotal);
    expect(progress.samplesStored).toBe(await samplesOf(database.current, userId));
    expect(await readCoverage(database.current, { teamId: userId, userId, day })).toEqual([]);
  });
});
