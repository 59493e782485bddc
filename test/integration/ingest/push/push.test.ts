import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { createIngest, receivePush, planConnection, wakePushes, type PushContext } from '@pulsewire/ingest';
import type { RawPush } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { cipher, createHarness, eventsOf, today, windowsOf, type Harness } from '../support/harness.ts';
import { providerError } from '../support/wristband.ts';

const database = useDatabase();
let harness: Harness;
let context: PushContext;
const teamId = randomUUID();
beforeEach(async () => {
  harness = await createHarness(database.current);
  context = {
    database: database.current,
    jobs: harness.jobs,
    cipher,
    clock: harness.clock,
    logger: silentLogger,
    metrics: noMetrics,
    secretsFor: async () => ({
      applications: [
        { clientId: 'platform', clientSecret: 'platform-secret', teamId: null },
        { clientId: 'team', clientSecret: 'team-secret', teamId },
      ],
      verificationCode: 'handshake',
    }),
  };
  await database.current.sql`TRUNCATE push_inbox`;
  // Pushes of a team's own application are accepted only while the team exists.
  await database.current
    .sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'Own application', now()) ON CONFLICT DO NOTHING`;
});
afterEach(() => harness.close());

const pushOf = (body: unknown, signature = 'platform-secret', query: Record<string, string> = {}): RawPush => ({
  method: 'POST',
  headers: { 'x-signature': signature, authorization: 'Bearer never-kept', 'content-type': 'application/json' },
  query,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const send = (push: RawPush) => receivePush(context, harness.wristband.connector, push);
const inbox = () =>
  database.current.sql<
    { state: string; unknown_users: number; error_code: string | null; headers: Record<string, string> }[]
  >`SELECT * FROM push_inbox ORDER BY push_id`;

describe('a push', () => {
  test('is stored with its job before the response, and then its day is read as live data', async () => {
    const { connectionId, userId, providerUserId } = await harness.link();
    await harness.ingest.drain();
    harness.wristband.calls.length = 0;
    harness.wristband.setValue('moves', '2026-03-12', 999_000);
    expect(await send(pushOf([{ user: providerUserId, collection: 'activity', day: '2026-03-12' }]))).toEqual({ status: 204, body: '' });
    const [stored] = await inbox();
    expect(stored).toMatchObject({ state: 'received', headers: { 'x-signature': 'platform-secret', 'content-type': 'application/json' } });
    expect(Object.keys(stored?.headers ?? {})).not.toContain('authorization');
    expect(harness.wristband.calls).toHaveLength(0);

    await harness.ingest.drain();
    expect(harness.wristband.calls.map((call) => call.path)).toEqual(['/moves/2026-03-12']);
    const updates = await eventsOf(database.current, userId, 'daily.data.steps.updated');
    expect(updates).toHaveLength(1);
    expect(updates[0]?.is_historical).toBe(false);
    expect((await inbox())[0]).toMatchObject({ state: 'done', unknown_users: 0 });
    expect((await windowsOf(database.current, connectionId)).every((window) => window.state === 'done')).toBe(true);
  });

  test('is accepted when a team application signed it, and leaves no trace without a known signature', async () => {
    expect((await send(pushOf([], 'team-secret'))).status).toBe(204);
    expect((await send(pushOf([], 'guessed'))).status).toBe(404);
    expect(await inbox()).toHaveLength(1);
  });

  test('that cannot be stored is not confirmed to the provider', async () => {
    const closed: PushContext = { ...context, jobs: { ...harness.jobs, workPush: () => Promise.reject(new Error('down')) } };
    await expect(receivePush(closed, harness.wristband.connector, pushOf([]))).rejects.toThrow('down');
    expect(await inbox()).toHaveLength(0);
  });

  test('for an unknown user is accepted, and counted', async () => {
    expect((await send(pushOf([{ user: 'stranger', collection: 'activity', day: today }]))).status).toBe(204);
    await harness.ingest.drain();
    expect((await inbox())[0]).toMatchObject({ state: 'done', unknown_users: 1 });
  });

  test('that is unreadable is kept with the reason', async () => {
    expect((await send(pushOf('not json'))).status).toBe(204);
    await harness.ingest.drain();
    expect((await inbox())[0]).toMatchObject({ state: 'unreadable', error_code: 'push_unreadable' });
  });

  test('is processed when a part of it is unreadable, and that part is counted', async () => {
    const { providerUserId } = await harness.link();
    await harness.ingest.drain();
    harness.wristband.calls.length = 0;
    await send(pushOf([{ collection: 'body' }, { user: providerUserId, collection: 'body', day: today }]));
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(1);
    expect((await inbox())[0]).toMatchObject({ state: 'done', notices: 1, unreadable_notices: 1, error_code: 'notices_unreadable' });
  });

  test('that can never be processed ends as failed, with the reason', async () => {
    const { providerUserId } = await harness.link();
    await harness.ingest.drain();
    await send(pushOf([{ user: providerUserId, collection: 'body', day: today }]));
    const broken = createIngest({
      ...harness.options,
      jobs: { ...harness.jobs, wake: () => Promise.reject(providerError('provider_transient', {})) },
    });
    for (let i = 0; i < 20; i++) {
      await database.current.sql`DELETE FROM pgboss.job WHERE name = 'ingest-push'`;
      await wakePushes({ ...context }, harness.clock.now());
      await broken.drain();
    }
    expect((await inbox())[0]).toMatchObject({ state: 'failed', error_code: 'provider_transient' });
    expect(await wakePushes({ ...context }, harness.clock.now())).toBe(0);
  });

  test('is processed although its job was lost', async () => {
    const { providerUserId } = await harness.link();
    await harness.ingest.drain();
    await send(pushOf([{ user: providerUserId, collection: 'body', day: today }]));
    await database.current.sql`DELETE FROM pgboss.job WHERE name = 'ingest-push'`;
    await harness.ingest.drain();
    expect((await inbox())[0]?.state).toBe('received');
    expect(await wakePushes({ ...context }, harness.clock.now())).toBe(1);
    await harness.ingest.drain();
    expect((await inbox())[0]?.state).toBe('done');
  });

  test('that an earlier version stored in one piece is processed', async () => {
    const { providerUserId } = await harness.link();
    await harness.ingest.drain();
    harness.wristband.calls.length = 0;
    await send(pushOf([]));
    const body = gzipSync(JSON.stringify([{ user: providerUserId, collection: 'body', day: today }]));
    await database.current.sql`UPDATE push_inbox SET pieces = 0, body_bytes = NULL, body = ${body}`;
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(1);
    expect((await inbox())[0]?.state).toBe('done');
  });

  test('that arrives while its day is being read causes one more read of it', async () => {
    const { connectionId, providerUserId } = await harness.link({ scopes: ['scale'] });
    await harness.ingest.drain();
    harness.clock.advance(86_400_000);
    const tomorrow = '2026-03-21';
    let isPushed = false;
    harness.wristband.onCall = async ({ path }) => {
      if (isPushed || path !== `/scales/${tomorrow}`) return;
      isPushed = true;
      await send(pushOf([{ user: providerUserId, collection: 'body', day: tomorrow }]));
      expect(await inbox()).toHaveLength(1);
      await harness.ingest.drain();
    };
    await harness.planDuePulls();
    await harness.ingest.drain();
    const live = (await windowsOf(database.current, connectionId)).filter((window) => window.end_date === tomorrow);
    expect(live).toEqual([expect.objectContaining({ lane: 'live', state: 'done', runs: 2 })]);
  });

  test('sent several times for one day causes one read', async () => {
    const { connectionId, providerUserId } = await harness.link();
    await harness.ingest.drain();
    harness.wristband.calls.length = 0;
    for (let i = 0; i < 5; i++) await send(pushOf([{ user: providerUserId, collection: 'body', day: '2026-03-18' }]));
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(1);
    expect(
      (await windowsOf(database.current, connectionId)).filter((window) => window.start_date === '2026-03-18' && window.lane === 'live'),
    ).toHaveLength(1);
  });

  test('that revokes consent stops every connection to the account, with one event each', async () => {
    const first = await harness.link({ providerUserId: 'shared' });
    const second = await harness.link({ providerUserId: 'shared' });
    await harness.ingest.drain();
    harness.wristband.calls.length = 0;
    await send(pushOf([{ user: 'shared' }]));
    await send(pushOf([{ user: 'shared' }]));
    await harness.ingest.drain();
    harness.clock.advance(86_400_000);
    await harness.planDuePulls();
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(0);
    for (const { userId } of [first, second]) expect(await eventsOf(database.current, userId, 'provider.connection.error')).toHaveLength(1);
  });
});

describe('a push that one application signed', () => {
  const revokedOf = async (...linked: { userId: string }[]) =>
    Promise.all(linked.map(async ({ userId }) => (await eventsOf(database.current, userId, 'provider.connection.error')).length));

  test('affects only the connections made with that application', async () => {
    const onPlatform = await harness.link({ providerUserId: 'shared' });
    const ofTeam = await harness.link({ providerUserId: 'shared', teamId });
    const ofOther = await harness.link({ providerUserId: 'shared', teamId: randomUUID() });
    await harness.ingest.drain();
    await send(pushOf([{ user: 'shared' }], 'team-secret'));
    await harness.ingest.drain();
    expect(await revokedOf(onPlatform, ofTeam, ofOther)).toEqual([0, 1, 0]);
    await send(pushOf([{ user: 'shared' }], 'platform-secret'));
    await harness.ingest.drain();
    expect(await revokedOf(onPlatform, ofTeam, ofOther)).toEqual([1, 1, 0]);
  });

  test('causes no reads for connections of other applications; its user counts as unknown', async () => {
    const { providerUserId } = await harness.link();
    await harness.ingest.drain();
    harness.wristband.calls.length = 0;
    await send(pushOf([{ user: providerUserId, collection: 'body', day: today }], 'team-secret'));
    await harness.ingest.drain();
    expect(harness.wristband.calls).toHaveLength(0);
    expect((await inbox())[0]).toMatchObject({ state: 'done', unknown_users: 1 });
  });
});

describe('a withdrawal that was pushed before the user linked again', () => {
  test('does not end the new link', async () => {
    const { connectionId, userId, providerUserId } = await harness.link();
    await harness.ingest.drain();
    await send(pushOf([{ user: providerUserId }]));
    harness.clock.advance(5000);
    await database.current.transaction((tx) => planConnection(harness.plan, tx, connectionId));
    await harness.ingest.drain();
    expect(await eventsOf(database.current, userId, 'provider.connection.error')).toHaveLength(0);
    const [plan] = await database.current.sql`SELECT stopped_at FROM pull_plans WHERE connection_id = ${connectionId}`;
    expect(plan).toEqual({ stopped_at: null });

    harness.clock.advance(1000);
    await send(pushOf([{ user: providerUserId }]));
    await harness.ingest.drain();
    expect(await eventsOf(database.current, userId, 'provider.connection.error')).toHaveLength(1);
  });
});

describe('a push after days without one', () => {
  test('causes the days in between to be read too, before any poll', async () => {
    const { connectionId, providerUserId } = await harness.link({ scopes: ['move'] });
    await harness.ingest.drain();
    harness.clock.advance(7 * 86_400_000);
    harness.wristband.calls.length = 0;
    await send(
      pushOf([
        { user: providerUserId, collection: 'activity', day: '2026-03-25' },
        { user: providerUserId, collection: 'activity', day: '2026-03-27' },
      ]),
    );
    await harness.ingest.drain();
    const days = ['18', '19', '20', '21', '22', '23', '24', '25', '26', '27'].map((day) => `2026-03-${day}`);
    expect(harness.wristband.calls.map((call) => call.day).toSorted()).toEqual(days);
    expect((await windowsOf(database.current, connectionId)).every((window) => window.state === 'done')).toBe(true);
  });

  test("reads no further back than a historical pull, and no further ahead than the user's day", async () => {
    const { providerUserId } = await harness.link({ scopes: ['move'] });
    await harness.ingest.drain();
    harness.clock.advance(365 * 86_400_000);
    harness.wristband.calls.length = 0;
    await send(pushOf([{ user: providerUserId, collection: 'activity', day: '2099-01-01' }]));
    await harness.ingest.drain();
    const days = harness.wristband.calls.map((call) => call.day).toSorted();
    expect([days[0], days.at(-1), days.length]).toEqual(['2027-03-10', '2027-03-21', 12]);
  });
});

describe('a handshake', () => {
  test('succeeds only with the verification code, and stores nothing', async () => {
    expect((await send(pushOf('', '', { verify: 'handshake' }))).status).toBe(204);
    expect((await send(pushOf('', '', { verify: 'wrong' }))).status).toBe(404);
    expect(await inbox()).toHaveLength(0);
  });
});
