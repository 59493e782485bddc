import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Connector, PushNotice, PushSupport } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { sendPush, startIngest, withPush, stepsOf, wristbandSource } from '../support/push-harness.ts';
import { createHarness, eventsOf, samplesOf, today, windowsOf, type Harness } from '../support/harness.ts';
import { providerError } from '../support/wristband.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE push_inbox, app_subscriptions`;
});
afterEach(() => harness.close());

const variant: (push: Partial<PushSupport>, more?: Partial<Connector>) => Connector = (push, more) => withPush(harness, push, more);
const send = (connector: Connector, body: unknown) => sendPush(database.current, harness, connector, body);

const workoutOf = (id: string): CanonicalRecord => ({
  kind: 'summary',
  id,
  resource: 'workouts',
  source: wristbandSource,
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
    const ingest = startIngest(harness, connector);
    const { connectionId, userId, providerUserId } = await harness.link();
    await ingest.drain();
    const [before, calls] = [await samplesOf(database.current, userId), harness.wristband.calls.length];
    expect((await send(connector, [data(providerUserId)])).status).toBe(204);
    await ingest.drain();
    expect(await samplesOf(database.current, userId)).toBe(before + 1);
    expect(harness.wristband.calls.length).toBe(calls);
    const pushed = (await windowsOf(database.current, connectionId)).filter((window) => window.pull === 'push:dailies');
    expect(pushed).toEqual([
      expect.objectContaining({ state: 'done', lane: 'live', start_date: today, samples_created: '1', quarantined: '1' }),
    ]);
  });

  test('from before the link counts as history, from after it as live', async () => {
    const connector = variant(mapped([stepsOf('2026-02-01', 1), stepsOf('2026-03-19', 2)]));
    const ingest = startIngest(harness, connector);
    const { userId, providerUserId } = await harness.link({ scopes: ['scale'] });
    await ingest.drain();
    await send(connector, [data(providerUserId)]);
    await ingest.drain();
    const created = await eventsOf(database.current, userId, 'daily.data.steps.created');
    expect(new Set(created.map((event) => event.is_historical))).toEqual(new Set([false, true]));
    expect(created).toHaveLength(2);
  });

  test('repeated changes nothing and emits nothing', async () => {
    const connector = variant(mapped([stepsOf(today, 7)]));
    const ingest = startIngest(harness, connector);
    const { userId, providerUserId } = await harness.link({ scopes: ['scale'] });
    await ingest.drain();
    for (let times = 0; times < 3; times++) {
      await send(connector, [data(providerUserId)]);
      await ingest.drain();
    }
    expect(await eventsOf(database.current, userId, 'daily.data.steps.%')).toHaveLength(1);
  });
});

describe('a push that names an object', () => {
  test('reads that object once for any number of pushes, and retries when the provider fails', async () => {
    const read: string[] = [];
    let isDown = true;
    const pulls = harness.wristband.connector.pulls.map((pull) => ({
      ...pull,
      async *pullObject({ objectId }: { readonly objectId: string }) {
        read.push(objectId);
        if (isDown) throw providerError('provider_transient', { status: 503 });
        yield { version: 1_000_000n, records: [workoutOf(randomUUID())], quarantined: [] };
      },
    }));
    const connector = variant({}, { pulls });
    const ingest = startIngest(harness, connector);
    const { connectionId, userId, providerUserId } = await harness.link({ scopes: ['scale'] });
    await ingest.drain();
    const [window] = await database.current.sql`SELECT covered_to FROM pull_cursors WHERE connection_id = ${connectionId}`;
    harness.clock.advance(2 * 86_400_000);
    const notice: PushNotice = { kind: 'object', providerUserId, collection: 'body', objectId: 'w-77' };
    await send(connector, [notice]);
    await send(connector, [notice]);
    await ingest.drain();
    expect(read).toEqual(['w-77']);
    isDown = false;
    harness.clock.advance(120_000);
    await ingest.drain();
    expect(read).toEqual(['w-77', 'w-77']);
    expect(await eventsOf(database.current, userId, 'daily.data.workouts.created')).toHaveLength(1);
    expect(await database.current.sql`SELECT covered_to FROM pull_cursors WHERE connection_id = ${connectionId}`).toEqual([window]);
  });

  test('causes the last days to be read where single objects cannot be read', async () => {
    const connector = variant({});
    const ingest = startIngest(harness, connector);
    const { providerUserId } = await harness.link({ scopes: ['scale'] });
    await ingest.drain();
    harness.wristband.calls.length = 0;
    await send(connector, [{ kind: 'object', providerUserId, collection: 'body', objectId: 'x' }]);
    await ingest.drain();
    expect(harness.wristband.calls.map((call) => call.day)).toEqual(['2026-03-18', '2026-03-19', '2026-03-20']);
  });

  test('that was deleted removes its record', async () => {
    const summaryId = randomUUID();
    const pulls = harness.wristband.connector.pulls.map((pull) => ({
      ...pull,
      removeObject: (): readonly CanonicalRecord[] => [{ kind: 'summary_removal', resource: 'workouts', id: summaryId }],
    }));
    const connector = variant({ map: () => ({ records: [workoutOf(summaryId)], quarantined: [] }) }, { pulls });
    const ingest = startIngest(harness, connector);
    const { userId, providerUserId } = await harness.link({ scopes: ['scale'] });
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
  test('replaces the granted scopes, and newly allowed data is read', async () => {
    const connector = variant({});
    const ingest = startIngest(harness, connector);
    const { connectionId, providerUserId } = await harness.link({ scopes: ['scale'] });
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
