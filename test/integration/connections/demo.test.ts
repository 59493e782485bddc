import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import {
  connectDemo,
  connectionForPull,
  createLinkSession,
  deleteUser,
  expireDemoUsers,
  extendDemos,
  linkManually,
  linkWithPassword,
  listConnections,
  manualProviders,
  type FillDemo,
} from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { createFillDemo } from '@pulsewire/ingest';
import { addDays, findConnector, summaryId, withoutConnector, type Connector } from '@pulsewire/providers';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from './harness.ts';

const database = useDatabase();
const clock = createManualClock(new Date('2026-03-18T12:00:00Z'));
const hourMs = 3_600_000;
let harness: Harness;
let fill: FillDemo;

beforeAll(async () => {
  harness = await createHarness(
    database.current,
    { clock, connectors: [findConnector('freestyle_libre') as Connector] },
    { isSandbox: true },
  );
  fill = createFillDemo(harness.context);
});

const connect = (userId: string, provider = 'fitbit', on = harness) =>
  connectDemo(on.context, on.team, { userId, provider, traceId: null });
const grow = (userId?: string) =>
  extendDemos(
    { database: database.current, clock, fill },
    { limit: 50, signal: AbortSignal.timeout(20_000), ...(userId !== undefined && { userId }) },
  );
const summariesOf = (userId: string) => database.current.sql<{ resource: string; days: number; newest: string }[]>`
  SELECT resource, count(*)::int AS days, max(calendar_date)::text AS newest FROM summaries WHERE user_id = ${userId} GROUP BY resource ORDER BY resource`;
const eventTypesOf = async (userId: string) => {
  const rows = await database.current.sql<{ event_type: string; is_historical: boolean; count: number }[]>`
    SELECT event_type, is_historical, count(*)::int FROM log_events WHERE user_id = ${userId} GROUP BY event_type, is_historical`;
  return new Map(rows.map((row) => [`${row.event_type}${row.is_historical ? ' (historical)' : ''}`, row.count]));
};

describe('a demo connection', () => {
  it('gets 30 days of history, announced once, and new data every two hours', async () => {
    const { userId } = await harness.newUser();
    expect([await connect(userId), await connect(userId)]).toEqual([true, false]);
    expect([await grow(), await grow()]).toEqual([1, 0]);
    const resources = Object.fromEntries((await summariesOf(userId)).map(({ resource, days, newest }) => [resource, [days, newest]]));
    expect(resources).toMatchObject({ activity: [31, '2026-03-18'], sleep: [31, '2026-03-18'], profile: [1, null] });
    const history = await eventTypesOf(userId);
    expect(history.get('provider.connection.created')).toBe(1);
    expect(history.get('daily.data.activity.created (historical)')).toBe(31);
    expect(history.get('historical.data.activity.created')).toBe(1);
    clock.advance(2 * hourMs - 1000);
    expect(await grow()).toBe(0);
    clock.advance(1000);
    expect(await grow()).toBe(1);
    const later = await eventTypesOf(userId);
    expect([
      later.get('daily.data.activity.updated'),
      later.get('daily.data.sleep.created'),
      later.get('historical.data.activity.created'),
    ]).toEqual([1, undefined, 1]);
    clock.advance(20 * hourMs);
    await grow();
    expect((await eventTypesOf(userId)).get('daily.data.sleep.created')).toBe(1);
  });

  it('needs no connector: a phone’s data is generated without one', async () => {
    const { userId } = await harness.newUser();
    expect([await connect(userId, 'apple_health_kit'), await connect(userId, 'apple_health_kit')]).toEqual([true, false]);
    expect([await grow(userId), await grow(userId)]).toEqual([1, 0]);
    const resources = Object.fromEntries((await summariesOf(userId)).map(({ resource, days }) => [resource, days]));
    expect(resources).toMatchObject({ activity: 31, sleep: expect.toSatisfy((days: number) => days >= 30), profile: 1 });
    expect(Object.keys(resources)).toEqual(['activity', 'body', 'profile', 'sleep', 'workouts']);
    const history = await eventTypesOf(userId);
    expect([history.get('provider.connection.created'), history.get('historical.data.workouts.created')]).toEqual([1, 1]);
    const events = await database.current.sql<{ event_type: string; json: string }[]>`
      SELECT event_type, json FROM log_events WHERE user_id = ${userId} AND event_type IN ('provider.connection.created', 'daily.data.sleep.created')`;
    const bodyOf = (type: string) => JSON.parse(events.find((event) => event.event_type === type)?.json ?? '{}') as unknown;
    const available = { status: 'available', scope_requirements: null };
    expect(bodyOf('provider.connection.created')).toEqual({
      user_id: userId,
      provider: { name: 'Apple HealthKit', slug: 'apple_health_kit', logo: 'https://api.test/logos/apple_health_kit.svg' },
      external_user_id: null,
      resource_availability: { profile: available, body: available, activity: available, sleep: available, workouts: available },
    });
    expect(bodyOf('daily.data.sleep.created')).toMatchObject({ source: { provider: 'apple_health_kit', type: 'watch' } });
    clock.advance(2 * hourMs);
    await grow();
    expect((await eventTypesOf(userId)).get('daily.data.activity.updated')).toBe(1);
  });

  it('has the name and logo of the manual source when there is no connector', () => {
    const sent = withoutConnector.filter(({ authType }) => authType === 'sdk');
    expect(manualProviders).toEqual(expect.arrayContaining(sent.map(({ slug, name }) => ({ slug, name }))));
  });

  it('gets its data from one of several processes, and earlier on request', async () => {
    const { userId } = await harness.newUser();
    await connect(userId);
    expect((await Promise.all([grow(), grow(), grow()])).reduce((sum, grown) => sum + grown)).toBe(1);
    clock.advance(60_000);
    expect([await grow(), await grow(userId), await grow(userId)]).toEqual([0, 1, 0]);
  });

  it('has its data after a request for it, even while another process generates it', async () => {
    const { userId } = await harness.newUser();
    await connect(userId);
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: FillDemo = async (...reported) => {
      begun.resolve();
      await go.promise;
      await fill(...reported);
    };
    const options = { limit: 1, signal: AbortSignal.timeout(20_000) };
    const other = extendDemos({ database: database.current, clock, fill: slow }, options);
    await begun.promise;
    const seen = grow(userId).then(async (grown) => [grown, (await summariesOf(userId)).length > 0]);
    go.resolve();
    expect([await other, await seen]).toEqual([1, [0, true]]);
  });

  it('is only for sandbox teams, their own users and known providers', async () => {
    const production = await createHarness(database.current, { clock });
    await expect(connect((await production.newUser()).userId, 'fitbit', production)).rejects.toMatchObject({
      code: 'demo_not_allowed',
      kind: 'forbidden',
    });
    await expect(connect((await production.newUser()).userId)).rejects.toMatchObject({ code: 'user_not_found' });
    await expect(connect(randomUUID())).rejects.toMatchObject({ code: 'user_not_found' });
    await expect(connect((await harness.newUser()).userId, 'nobody')).rejects.toMatchObject({ code: 'provider_unknown', kind: 'invalid' });
  });

  it('shares no user with real connections, whichever came first', async () => {
    const demo = await harness.newUser();
    const early = await harness.newToken(demo);
    await connect(demo.userId);
    const fields = { userId: demo.userId, provider: null, redirectUrl: null, filterOnProviders: null, onError: null, onClose: null };
    await expect(createLinkSession(harness.context, demo.teamId, fields)).rejects.toMatchObject({ code: 'user_is_demo', kind: 'invalid' });
    const login = { provider: 'strap', username: 'ann', password: 'right', region: null };
    expect(await linkWithPassword(harness.context, { ...login, token: early, teamId: null, traceId: null })).toMatchObject({
      errorType: 'invalid_token',
    });
    const manual = { teamId: demo.teamId, provider: 'manual', providerUserId: 'x', traceId: null };
    await expect(linkManually(harness.context, { ...manual, userId: demo.userId })).rejects.toMatchObject({ code: 'user_is_demo' });
    const phone = { ...manual, provider: 'apple_health_kit' };
    const played = await harness.newUser();
    await connect(played.userId, 'apple_health_kit');
    await expect(linkManually(harness.context, { ...phone, userId: played.userId })).rejects.toMatchObject({ code: 'user_is_demo' });
    const real = await harness.newUser();
    await linkManually(harness.context, { ...phone, userId: real.userId });
    await expect(connect(real.userId, 'apple_health_kit')).rejects.toMatchObject({ code: 'user_is_not_demo' });
    await expect(connect(real.userId)).rejects.toMatchObject({ code: 'user_is_not_demo', kind: 'invalid' });
  });

  it('does not change data stored by a real connection of the user', async () => {
    const { userId, teamId, clientUserId } = await harness.newUser();
    const days = Array.from({ length: 31 }, (_, back) => addDays(clock.now().toISOString().slice(0, 10), -back));
    const source = { provider: 'fitbit', type: 'watch' };
    const activities = days.map((day): CanonicalRecord => {
      const id = summaryId({ userId, provider: 'fitbit', sourceType: 'watch', resource: 'activity', externalId: day });
      return { kind: 'summary', id, resource: 'activity', source, calendarDate: day, at: Date.parse(day), data: { steps: 4321 } };
    });
    const startMs = clock.now().getTime() - 86_400_000;
    const readings = Array.from({ length: 96 }, (_, index) => ({ ts: startMs + index * 900_000, value: 9.9, timezoneOffset: null }));
    const glucose: CanonicalRecord = {
      kind: 'samples',
      resource: 'glucose',
      source: { provider: 'freestyle_libre', type: 'automatic' },
      samples: readings.map((reading) => ({ ...reading, ts: Math.floor(reading.ts / 900_000) * 900_000 })),
    };
    const owner = { teamId, userId, clientUserId };
    await withEvents(database.current, async (tx, emit) => {
      const written = { owner, version: await drawVersion(tx), origin: 'live', traceId: null } as const;
      await writeRecords(tx, emit, { ...written, sourceId: 3, records: activities });
      await writeRecords(tx, emit, { ...written, sourceId: 13, records: [glucose] });
    });
    const stored = async () => ({
      activities: await database.current.sql`
        SELECT id, calendar_date::text AS day, data, version::text FROM summaries WHERE user_id = ${userId} AND data->>'steps' = '4321' ORDER BY 2`,
      readings: await database.current.sql`
        SELECT s.* FROM all_samples s JOIN sources USING (user_source_id) WHERE user_id = ${userId} AND s.value > 9.8 AND s.value < 10 ORDER BY s.ts`,
    });
    const before = await stored();
    expect([before.activities.length, before.readings.length]).toEqual([31, 96]);
    await connect(userId);
    await connect(userId, 'freestyle_libre');
    await grow(userId);
    clock.advance(2 * hourMs);
    await grow(userId);
    expect(await stored()).toEqual(before);
    const all = await summariesOf(userId);
    expect(all.find(({ resource }) => resource === 'activity')?.days).toBe(62);
  });

  it('is never pulled, and has no tokens', async () => {
    const user = await harness.newUser();
    await connect(user.userId);
    const [connection] = await listConnections(database.current, user.teamId, [user.userId]);
    expect(connection).toMatchObject({ isDemo: true, externalUserId: null, deniedScopes: [] });
    expect(await connectionForPull(database.current, connection?.connectionId ?? '')).toBeNull();
    expect(
      await database.current.sql`SELECT 1 FROM connection_tokens WHERE connection_id = ${connection?.connectionId ?? ''}`,
    ).toHaveLength(0);
  });

  it('ends with its user: seven days after it was created, or when the user is deleted earlier', async () => {
    const [user, gone] = [await harness.newUser(), await harness.newUser()];
    await connect(user.userId, 'apple_health_kit');
    await connect(gone.userId);
    await deleteUser(database.current, harness.context, gone.teamId, gone.userId);
    clock.advance(7 * 24 * hourMs - 1000);
    const isDeleted = async () =>
      (await database.current.sql`SELECT 1 FROM users WHERE user_id = ${user.userId} AND deleted_at IS NOT NULL`).length > 0;
    await expireDemoUsers(database.current, harness.context, 100);
    expect(await isDeleted()).toBe(false);
    clock.advance(1000);
    await expireDemoUsers(database.current, harness.context, 100);
    expect(await isDeleted()).toBe(true);
    expect(await grow()).toBe(0);
  });
});
