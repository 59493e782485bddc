import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Connector, Growth, PullSpec, PushNotice } from '@pulsewire/providers';
import { maintainInbox, planConnection } from '@pulsewire/ingest';
import { useDatabase } from '../../../support/database.ts';
import { sendPush, startIngest, withPush, stepsOf } from '../support/push-harness.ts';
import { createHarness, eventsOf, windowsOf, type Linked, type Harness } from '../support/harness.ts';
import { providerError } from '../support/wristband.ts';

const database = useDatabase();
const waitMs = 600_000;
const quietMs = 60_000;
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current, { historyWaitMs: waitMs, historyQuietMs: quietMs });
  await database.current.sql`TRUNCATE push_inbox, push_extents`;
});
afterEach(() => harness.close());

/** The payload is the day and its steps. */
const map = ({ payload }: { readonly payload: unknown }) => {
  const [day, value] = payload as [string, number];
  return { records: [stepsOf(day, value)], quarantined: [] };
};
const dataOf = ({ providerUserId }: Linked, day: string, value = 5): PushNotice => ({
  kind: 'data',
  providerUserId,
  collection: 'dailies',
  payload: [day, value],
});

describe('history that the provider pushes some time after the request', () => {
  let requested: string[];
  let refuse: () => void;
  beforeEach(() => {
    requested = [];
    refuse = () => {};
  });

  /** Two windows of five days: 10 to 14 and 15 to 19 March. */
  function asynchronous(): Connector {
    const spec: PullSpec = {
      name: 'history-dailies',
      resources: ['steps'],
      requiredScopes: ['move'],
      lanes: ['backfill'],
      chunkDays: 5,
      backfillDays: 10,
      rereadDays: 1,
      collections: [],
      fulfilledBy: ['dailies'],
      async *pull({ window }) {
        requested.push(window.startDate);
        refuse();
        yield* [];
      },
    };
    return withPush(harness, { map }, { pulls: [spec] });
  }
  async function link(connector: Connector): Promise<Linked> {
    const linked = await harness.link({ scopes: [] });
    await database.current.transaction(async (tx) => {
      await tx.sql`UPDATE connections SET granted_scopes = '{move}' WHERE connection_id = ${linked.connectionId}`;
      await planConnection({ ...harness.plan, connectorFor: () => connector }, tx, linked.connectionId);
    });
    return linked;
  }
  const completed = async ({ userId }: Linked) => (await eventsOf(database.current, userId, 'historical.%')).length;
  const states = async ({ connectionId }: Linked) =>
    (await windowsOf(database.current, connectionId)).filter(({ pull }) => pull === 'history-dailies').map(({ state }) => state);

  test('is complete only when the data of every window has arrived and no more follows', async () => {
    const connector = asynchronous();
    const ingest = startIngest(harness, connector);
    const linked = await link(connector);
    await ingest.drain();
    expect(requested).toEqual(['2026-03-15', '2026-03-10']);
    expect(await states(linked)).toEqual(['planned', 'planned']);
    expect(await completed(linked)).toBe(0);

    await sendPush(database.current, harness, connector, [dataOf(linked, '2026-03-16'), dataOf(linked, '2026-03-11')]);
    await ingest.drain();
    expect(await completed(linked)).toBe(0);
    harness.clock.advance(quietMs / 2);
    await sendPush(database.current, harness, connector, [dataOf(linked, '2026-03-12')]);
    await ingest.drain();
    harness.clock.advance(quietMs / 2);
    await ingest.drain();
    expect(await states(linked)).toEqual(['done', 'planned']);
    expect(await completed(linked)).toBe(0);
    harness.clock.advance(quietMs / 2);
    await ingest.drain();
    expect(await states(linked)).toEqual(['done', 'done']);
    expect(await completed(linked)).toBe(1);
    expect(requested).toHaveLength(2);
  });

  test('is complete after the wait, and no sooner, when nothing arrives', async () => {
    const connector = asynchronous();
    const ingest = startIngest(harness, connector);
    const linked = await link(connector);
    await ingest.drain();
    harness.clock.advance(waitMs - 1000);
    await ingest.drain();
    expect(await completed(linked)).toBe(0);
    harness.clock.advance(1000);
    await ingest.drain();
    expect(await states(linked)).toEqual(['done', 'done']);
    expect(await completed(linked)).toBe(1);
    expect(requested).toHaveLength(2);
  });

  test('does not complete sooner because of pushes for other days', async () => {
    const connector = asynchronous();
    const ingest = startIngest(harness, connector);
    const linked = await link(connector);
    await ingest.drain();
    await sendPush(database.current, harness, connector, [dataOf(linked, '2026-03-20')]);
    await ingest.drain();
    harness.clock.advance(quietMs * 2);
    await ingest.drain();
    expect(await states(linked)).toEqual(['planned', 'planned']);
  });

  test('completes when it was pushed before the request for it had ended', async () => {
    const connector = asynchronous();
    const linked = await link(connector);
    const push = startIngest(harness, connector);
    const ingest = startIngest(harness, {
      ...connector,
      pulls: connector.pulls.map((spec) => ({
        ...spec,
        async *pull({ window }) {
          await sendPush(database.current, harness, connector, [dataOf(linked, window.startDate)]);
          await push.drain();
          yield* [];
        },
      })),
    });
    await ingest.drain();
    expect(await states(linked)).toEqual(['planned', 'planned']);
    harness.clock.advance(quietMs);
    await ingest.drain();
    expect(await states(linked)).toEqual(['done', 'done']);
    expect(await completed(linked)).toBe(1);
  });

  test('is complete when no more follows, where pushes only announce what is then read', async () => {
    const connector = asynchronous();
    const announced: PullSpec = {
      name: 'callback-dailies',
      resources: ['steps'],
      requiredScopes: ['move'],
      lanes: [],
      chunkDays: 5,
      backfillDays: 10,
      rereadDays: 1,
      collections: ['dailies'],
      async *pull() {
        yield* [];
      },
      async *pullObject({ objectId }) {
        yield { records: [stepsOf(objectId, 5)], quarantined: [], version: BigInt(harness.clock.now().getTime()) };
      },
    };
    const pinged = { ...connector, pulls: [...connector.pulls, announced] };
    const ingest = startIngest(harness, pinged);
    const linked = await link(pinged);
    await ingest.drain();
    const { providerUserId } = linked;
    const pingOf = (objectId: string): PushNotice => ({ kind: 'object', providerUserId, collection: 'dailies', objectId });
    await sendPush(database.current, harness, pinged, [pingOf('2026-03-16'), pingOf('2026-03-11')]);
    await ingest.drain();
    expect(await states(linked)).toEqual(['planned', 'planned']);
    harness.clock.advance(quietMs);
    await ingest.drain();
    expect(await states(linked)).toEqual(['done', 'done']);
    expect(await completed(linked)).toBe(1);
  });

  test('that is rejected is given up immediately, and counts as complete', async () => {
    refuse = () => {
      throw providerError('provider_scope_missing', { status: 403 });
    };
    const connector = asynchronous();
    const ingest = startIngest(harness, connector);
    const linked = await link(connector);
    await ingest.drain();
    expect(await states(linked)).toEqual(['given_up', 'given_up']);
    expect(await completed(linked)).toBe(1);
  });

  test('is requested again when the user has linked again meanwhile', async () => {
    const connector = asynchronous();
    const ingest = startIngest(harness, connector);
    const linked = await link(connector);
    await ingest.drain();
    harness.clock.advance(1000);
    const again = harness.clock.now().toISOString();
    await database.current.sql`UPDATE pull_plans SET linked_at = ${again} WHERE connection_id = ${linked.connectionId}`;
    harness.clock.advance(waitMs);
    await ingest.drain();
    expect(requested).toHaveLength(4);
    expect(await completed(linked)).toBe(0);
  });
});

describe('data that is pushed repeatedly while it grows', () => {
  const stored = async ({ userId }: Linked) =>
    (
      await database.current.sql<{ value: number }[]>`
        SELECT value FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series) WHERE user_id = ${userId} AND resource = 'steps'`
    ).map(({ value }) => value);
  const grown = (linked: Linked, extent: number, value: number, more: Partial<Growth> = {}, day = '2026-03-20'): PushNotice => ({
    ...(dataOf(linked, day, value) as Extract<PushNotice, { kind: 'data' }>),
    growth: { item: `dailies ${day}`, extent, endMs: Date.parse(`${day}T09:00:00Z`), ...more },
  });
  const connectorOf = () => withPush(harness, { map }, { pulls: [] });

  test('is not replaced by a later push that covers less of the day', async () => {
    const connector = connectorOf();
    const ingest = startIngest(harness, connector);
    const linked = await harness.link();
    for (const notice of [grown(linked, 600, 60), grown(linked, 900, 90), grown(linked, 300, 30)]) {
      await sendPush(database.current, harness, connector, [notice]);
      await ingest.drain();
    }
    expect(await stored(linked)).toEqual([90]);
  });

  test('is replaced by the push received last if both cover the same amount', async () => {
    const connector = connectorOf();
    const ingest = startIngest(harness, connector);
    const linked = await harness.link();
    for (const value of [1, 2]) {
      await sendPush(database.current, harness, connector, [grown(linked, 900, value)]);
      await ingest.drain();
    }
    expect(await stored(linked)).toEqual([2]);
  });

  test('is kept when its push was received first and processed last', async () => {
    const connector = connectorOf();
    const ingest = startIngest(harness, connector);
    const linked = await harness.link();
    await sendPush(database.current, harness, connector, [grown(linked, 900, 90)]);
    const [first] = await database.current.sql`UPDATE push_inbox SET state = 'failed' RETURNING push_id, day`;
    await sendPush(database.current, harness, connector, [grown(linked, 300, 30)]);
    await ingest.drain();
    expect(await stored(linked)).toEqual([30]);
    await database.current.sql`UPDATE push_inbox SET state = 'received' WHERE push_id = ${first?.['push_id']}`;
    await database.current.transaction((tx) =>
      harness.jobs.workPush(tx, { pushId: String(first?.['push_id']), day: String(first?.['day']) }),
    );
    await ingest.drain();
    expect(await stored(linked)).toEqual([90]);
  });

  const final = { isFinal: true } as const;

  test.each<readonly [string, readonly (readonly [extent: number, value: number, more?: Partial<Growth>])[], number]>([
    [
      'a final version replaces a longer one that was not final',
      [
        [900, 90],
        [500, 50, final],
      ],
      50,
    ],
    [
      'of two final versions the one received last counts',
      [
        [900, 90, final],
        [500, 50, final],
      ],
      50,
    ],
    [
      'a version that is not final never replaces a final one',
      [
        [500, 50, final],
        [900, 90],
      ],
      50,
    ],
  ])('data that grows while it is pushed: %s', async (_rule, versions, expected) => {
    const connector = connectorOf();
    const ingest = startIngest(harness, connector);
    const linked = await harness.link();
    for (const [extent, value, more = {}] of versions) {
      await sendPush(database.current, harness, connector, [grown(linked, extent, value, more)]);
      await ingest.drain();
    }
    expect(await stored(linked)).toEqual([expected]);
    const last = await harness.link();
    await sendPush(
      database.current,
      harness,
      connector,
      versions.map(([extent, value, more = {}]) => grown(last, extent, value, more)),
    );
    await ingest.drain();
    expect(await stored(last)).toEqual([expected]);
  });

  test('is protected for as long as its provider may push it again', async () => {
    const connector = connectorOf();
    const ingest = startIngest(harness, connector);
    const linked = await harness.link();
    await sendPush(database.current, harness, connector, [grown(linked, 900, 90, { keepDays: 100 })]);
    await ingest.drain();
    harness.clock.advance(60 * 86_400_000);
    await maintainInbox(database.current, { today: harness.clock.now().toISOString().slice(0, 10), keepDays: 400 });
    await sendPush(database.current, harness, connector, [grown(linked, 300, 30, { keepDays: 100 })]);
    await ingest.drain();
    expect(await stored(linked)).toEqual([90]);
  });

  test('keeps the item that covers most when one push holds several', async () => {
    const connector = connectorOf();
    const ingest = startIngest(harness, connector);
    const linked = await harness.link();
    await sendPush(database.current, harness, connector, [grown(linked, 900, 90), grown(linked, 300, 30)]);
    await ingest.drain();
    expect(await stored(linked)).toEqual([90]);
  });
});
