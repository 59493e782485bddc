import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import {
  createIngest,
  onPush,
  pushAddress,
  pushSegmentOf,
  readSubscriptionSecrets,
  wakeAppSubscriptions,
  type PushContext,
  type SubscriptionPorts,
} from '@pulsewire/ingest';
import type { AppSubscriptionCall, Connector, PushNotice, PushSupport, RawPush } from '@pulsewire/providers';
import type { CanonicalRecord } from '@pulsewire/contract';
import { useDatabase } from '../../support/database.ts';
import { createWorld, eventsOf, samplesOf, today, windowsOf, type World } from './support/world.ts';
import { providerError } from './support/wristband.ts';

const database = useDatabase();
let world: World;
beforeEach(async () => {
  world = await createWorld(database.current);
  await database.current.sql`TRUNCATE push_inbox, app_subscriptions`;
});
afterEach(() => world.close());

const code = 'verification-code';
const source = { provider: 'wristband', type: 'watch' };
const application = { clientId: 'platform', clientSecret: 'platform-secret' };

/** The wristband with other pushes; its notices are the body as it is. */
function variant(push: Partial<PushSupport>, more: Partial<Connector> = {}): Connector {
  const { connector } = world.wristband;
  if (!connector.push) throw new Error('No pushes');
  const parse: PushSupport['parse'] = ({ body }) => ({ notices: JSON.parse(body.toString()) as PushNotice[], unreadable: [] });
  return { ...connector, ...more, push: { ...connector.push, parse, ...push } };
}

function startIngest(connector: Connector, subscriptions?: SubscriptionPorts) {
  return createIngest({ ...world.options, connectorFor: () => connector, ...(subscriptions && { subscriptions }) });
}

function send(connector: Connector, body: unknown, segment: string | null = null) {
  const push: RawPush = {
    method: 'POST',
    headers: { 'x-signature': application.clientSecret },
    query: {},
    body: Buffer.from(JSON.stringify(body)),
  };
  const context: PushContext = {
    database: database.current,
    jobs: world.jobs,
    clock: world.clock,
    logger: silentLogger,
    metrics: noMetrics,
    secretsFor: async () => ({
      applications: [{ ...application, teamId: null, segment: pushSegmentOf(code, 'wristband', 'platform') }],
      verificationCode: code,
    }),
  };
  return onPush(context, connector, push, segment);
}

const stepsOf = (day: string, value: number): CanonicalRecord => ({
  kind: 'samples',
  resource: 'steps',
  source,
  samples: [{ ts: Date.parse(`${day}T10:00:00Z`), end: Date.parse(`${day}T10:15:00Z`), value, timezoneOffset: 0 }],
});
const workoutOf = (id: string): CanonicalRecord => ({
  kind: 'summary',
  id,
  resource: 'workouts',
  source,
  calendarDate: today,
  at: Date.parse(`${today}T10:00:00Z`),
  data: { title: 'Run' },
});

describe('a push that carries the data', () => {
  const mapped = (records: readonly CanonicalRecord[], isOdd = false) => ({
    map: () => ({ records, quarantined: isOdd ? [{ resource: 'steps', reason: 'bad_number', pointer: '/steps' }] : [] }),
  });
  const data = (providerUserId: string): PushNotice => ({ kind: 'data', providerUserId, collection: 'dailies', payload: { steps: 5 } });

  test('is stored at once, without a call to the provider, and shows as read on its day', async () => {
    const connector = variant(mapped([stepsOf(today, 500)], true));
    const ingest = startIngest(connector);
    const { connectionId, userId, providerUserId } = await world.link();
    await ingest.drain();
    const [before, calls] = [await samplesOf(database.current, userId), world.wristband.calls.length];
    expect((await send(connector, [data(providerUserId)])).status).toBe(204);
    await ingest.drain();
    expect(await samplesOf(database.current, userId)).toBe(before + 1);
    expect(world.wristband.calls.length).toBe(calls);
    const pushed = (await windowsOf(database.current, connectionId)).filter((window) => window.pull === 'push:dailies');
    expect(pushed).toEqual([
      expect.objectContaining({ state: 'done', lane: 'live', start_date: today, samples_created: '1', quarantined: '1' }),
    ]);
  });

  test('from before the link counts as history, from after it as live', async () => {
    const connector = variant(mapped([stepsOf('2026-02-01', 1), stepsOf('2026-03-19', 2)]));
    const ingest = startIngest(connector);
    const { userId, providerUserId } = await world.link({ scopes: ['scale'] });
    await ingest.drain();
    await send(connector, [data(providerUserId)]);
    await ingest.drain();
    const created = await eventsOf(database.current, userId, 'daily.data.steps.created');
    expect(created.map((event) => event.is_historical).toSorted()).toEqual([false, true]);
  });

  test('repeated changes nothing and emits nothing', async () => {
    const connector = variant(mapped([stepsOf(today, 7)]));
    const ingest = startIngest(connector);
    const { userId, providerUserId } = await world.link({ scopes: ['scale'] });
    await ingest.drain();
    for (let times = 0; times < 3; times++) {
      await send(connector, [data(providerUserId)]);
      await ingest.drain();
    }
    expect(await eventsOf(database.current, userId, 'daily.data.steps.%')).toHaveLength(1);
  });
});

describe('a push that names an object', () => {
  test('has that object read, once for any number of pushes, and tried again when the provider fails', async () => {
    const read: string[] = [];
    let isDown = true;
    const pulls = world.wristband.connector.pulls.map((pull) => ({
      ...pull,
      async *pullObject({ objectId }: { readonly objectId: string }) {
        read.push(objectId);
        if (isDown) throw providerError('provider_transient', { status: 503 });
        yield { version: 1_000_000n, records: [workoutOf(randomUUID())], quarantined: [] };
      },
    }));
    const connector = variant({}, { pulls });
    const ingest = startIngest(connector);
    const { connectionId, userId, providerUserId } = await world.link({ scopes: ['scale'] });
    await ingest.drain();
    const [window] = await database.current.sql`SELECT covered_to FROM pull_cursors WHERE connection_id = ${connectionId}`;
    const notice: PushNotice = { kind: 'object', providerUserId, collection: 'body', objectId: 'w-77' };
    await send(connector, [notice]);
    await send(connector, [notice]);
    await ingest.drain();
    expect(read).toEqual(['w-77']);
    isDown = false;
    world.clock.advance(120_000);
    await ingest.drain();
    expect(read).toEqual(['w-77', 'w-77']);
    expect(await eventsOf(database.current, userId, 'daily.data.workouts.created')).toHaveLength(1);
    expect(await database.current.sql`SELECT covered_to FROM pull_cursors WHERE connection_id = ${connectionId}`).toEqual([window]);
  });

  test('has the last days read where single objects cannot be read', async () => {
    const connector = variant({});
    const ingest = startIngest(connector);
    const { providerUserId } = await world.link({ scopes: ['scale'] });
    await ingest.drain();
    world.wristband.calls.length = 0;
    await send(connector, [{ kind: 'object', providerUserId, collection: 'body', objectId: 'x' }]);
    await ingest.drain();
    expect(world.wristband.calls.map((call) => call.day)).toEqual(['2026-03-18', '2026-03-19', '2026-03-20']);
  });

  test('that is gone has it taken out', async () => {
    const summaryId = randomUUID();
    const pulls = world.wristband.connector.pulls.map((pull) => ({
      ...pull,
      removeObject: (): readonly CanonicalRecord[] => [{ kind: 'summary_removal', resource: 'workouts', id: summaryId }],
    }));
    const connector = variant({ map: () => ({ records: [workoutOf(summaryId)], quarantined: [] }) }, { pulls });
    const ingest = startIngest(connector);
    const { userId, providerUserId } = await world.link({ scopes: ['scale'] });
    await send(connector, [{ kind: 'data', providerUserId, collection: 'body', payload: {} }]);
    await ingest.drain();
    const count = async () => (await database.current.sql`SELECT 1 FROM summaries WHERE user_id = ${userId}`).length;
    expect(await count()).toBe(1);
    await send(connector, [{ kind: 'removed', providerUserId, collection: 'body', objectId: 'w-77' }]);
    await ingest.drain();
    expect(await count()).toBe(0);
  });
});

describe('a push of new permissions', () => {
  test('replaces what was granted, and reads what is allowed now', async () => {
    const connector = variant({});
    const ingest = startIngest(connector);
    const { connectionId, providerUserId } = await world.link({ scopes: ['scale'] });
    await ingest.drain();
    await send(connector, [{ kind: 'scopes', providerUserId, grantedScopes: ['move'] }]);
    await ingest.drain();
    const [row] = await database.current.sql`SELECT granted_scopes, denied_scopes FROM connections WHERE connection_id = ${connectionId}`;
    expect(row).toEqual({ granted_scopes: ['move'], denied_scopes: ['scale'] });
    expect(
      (await windowsOf(database.current, connectionId))
        .filter((window) => window.pull === 'moves')
        .every((window) => window.state === 'done'),
    ).toBe(true);
    expect((await windowsOf(database.current, connectionId)).some((window) => window.pull === 'moves' && window.lane === 'backfill')).toBe(
      true,
    );
  });
});

describe('a provider that signs nothing', () => {
  test('is heard at the address that nobody can guess, and nowhere else', async () => {
    const connector = variant({
      isSigned: false,
      verify: () => true,
      handshake: ({ method }) => (method === 'HEAD' ? { status: 200, body: '' } : null),
    });
    const address = pushAddress(connector, { baseUrl: 'https://api.test/', verificationCode: code, owner: 'platform' });
    const segment = new URL(address?.callbackUrl ?? '').pathname.split('/').at(-1) ?? '';
    expect(address?.callbackUrl).toBe(`https://api.test/v2/push/wristband/${segment}`);
    expect(segment).toHaveLength(40);
    expect((await send(connector, [], segment)).status).toBe(204);
    expect((await send(connector, [], `${segment.slice(1)}0`)).status).toBe(404);
    expect((await send(connector, [])).status).toBe(404);
    expect(pushAddress(connector, { baseUrl: 'https://api.test', verificationCode: code, owner: 'team' })?.callbackUrl).not.toBe(
      address?.callbackUrl,
    );
    expect(pushAddress(connector, { baseUrl: 'https://api.test', verificationCode: null, owner: 'platform' })).toBeNull();
  });
});

describe('a subscription of a whole application', () => {
  const dayMs = 86_400_000;
  function subscribing(ensure: NonNullable<PushSupport['ensure']>) {
    const connector = variant({ ensure });
    const { subscribe: _none, unsubscribe: _neither, ...push } = connector.push ?? ({} as PushSupport);
    const ports: SubscriptionPorts = {
      addressOf: () => ({ callbackUrl: 'https://api.test/v2/push/wristband', verificationCode: code }),
      applicationOf: async (_provider, owner) => (owner === 'platform' ? application : null),
      loginHttpFor: () => ({ send: () => Promise.reject(new Error('not asked')) }),
      seal: (text, row) => Buffer.from(`${row}|${text}`),
      open: (sealed, row) => sealed.toString().slice(row.length + 1),
    };
    return { ingest: startIngest({ ...connector, push }, ports), ports };
  }

  test('is made once for all its users, kept with its sealed secret, and renewed before it ends', async () => {
    const calls: (AppSubscriptionCall['known'] | null)[] = [];
    const { ingest, ports } = subscribing(async ({ known, now }) => {
      calls.push(known);
      return { state: { id: calls.length }, secret: 'signing-secret', renewAt: new Date(now.getTime() + 60 * dayMs) };
    });
    await world.link();
    await world.link();
    await ingest.drain();
    expect(calls).toEqual([null]);
    const plans = await database.current.sql`SELECT subscription FROM pull_plans`;
    expect(plans).toEqual([{ subscription: 'active' }, { subscription: 'active' }]);
    expect(await readSubscriptionSecrets(database.current, ports, 'wristband')).toEqual(new Map([['platform', 'signing-secret']]));
    expect(await wakeAppSubscriptions({ ...world.plan, database: database.current })).toBe(0);
    world.clock.advance(61 * dayMs);
    expect(await wakeAppSubscriptions({ ...world.plan, database: database.current })).toBe(1);
    await ingest.drain();
    expect(calls[1]).toMatchObject({ state: { id: 1 }, secret: 'signing-secret' });
  });

  test('that fails is kept with its reason, tried again later, and leaves the connection up', async () => {
    let isDown = true;
    const { ingest } = subscribing(async ({ now }) => {
      if (isDown) throw providerError('provider_permanent', { status: 400 });
      return { state: {}, secret: null, renewAt: new Date(now.getTime() + dayMs) };
    });
    const { connectionId } = await world.link({ scopes: ['scale'] });
    await ingest.drain();
    const [row] = await database.current.sql`SELECT error_code, attempts, renew_at FROM app_subscriptions`;
    expect(row).toEqual({ error_code: 'provider_permanent', attempts: 1, renew_at: null });
    expect((await windowsOf(database.current, connectionId)).every((window) => window.state === 'done')).toBe(true);
    isDown = false;
    world.clock.advance(3_600_000);
    await wakeAppSubscriptions({ ...world.plan, database: database.current });
    await ingest.drain();
    const [mended] = await database.current.sql`SELECT error_code, attempts FROM app_subscriptions`;
    expect(mended).toEqual({ error_code: null, attempts: 0 });
  });
});

describe('a pull of one lane', () => {
  test('is planned in that lane alone', async () => {
    const [moves, scales] = world.wristband.connector.pulls;
    if (!moves || !scales) throw new Error('No pulls');
    const pulls = [
      { ...moves, lanes: ['backfill' as const] },
      { ...scales, lanes: ['live' as const] },
    ];
    const { connector } = world.wristband;
    Object.assign(connector, { pulls });
    const { connectionId } = await world.link();
    const lanes = (await windowsOf(database.current, connectionId)).map(({ pull, lane }) => `${pull} ${lane}`);
    expect(new Set(lanes)).toEqual(new Set(['moves backfill', 'scales live']));
  });
});

describe('an account of which nothing is known yet', () => {
  test('has nothing pulled while the provider does not tell of it, because its zone decides where readings lie', async () => {
    let isDown = true;
    const connector: Connector = {
      ...world.wristband.connector,
      async account() {
        if (isDown) throw providerError('provider_transient', { status: 503 });
        return { providerUserId: null, account: { time_zone: 'America/New_York' } };
      },
    };
    const ingest = startIngest(connector);
    const { connectionId } = await world.link({ scopes: ['scale'] });
    await ingest.drain();
    expect(world.wristband.calls).toHaveLength(0);
    isDown = false;
    world.clock.advance(61_000);
    await ingest.drain();
    expect(world.wristband.calls.length).toBeGreaterThan(0);
    const [row] = await database.current.sql`SELECT account FROM connections WHERE connection_id = ${connectionId}`;
    expect(row).toEqual({ account: { time_zone: 'America/New_York' } });
  });
});
