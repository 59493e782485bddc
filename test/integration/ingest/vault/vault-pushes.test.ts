import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { createIngest, erasePulls } from '@pulsewire/ingest';
import type { Connector, PushNotice } from '@pulsewire/providers';
import { eraseRecords } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import { composeScheduler } from '../support/scheduler-harness.ts';
import { sendPush, startIngest, withPush, stepsOf, wristbandSource } from '../support/push-harness.ts';
import { doubledSteps, mended, recordsOf, renormaliseWith, vaultText } from '../support/vault-harness.ts';
import { cipher, createHarness, eventsOf, today, type Linked, type Harness } from '../support/harness.ts';

const database = useDatabase({ connectionsMax: 20 });
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE raw_answers, push_inbox`;
});
afterEach(() => harness.close());

const removalOf = (day: string): CanonicalRecord => ({
  kind: 'sample_removal',
  resource: 'steps',
  source: wristbandSource,
  ts: [Date.parse(`${day}T10:00:00Z`)],
});

interface Payload {
  readonly day: string;
  readonly steps: number;
}
/** Maps a payload to `factor` times its steps. */
const pushing = (factor: number): Connector =>
  withPush(harness, {
    map: ({ payload }) => {
      const { day, steps } = payload as Payload;
      return { records: [stepsOf(day, steps * factor)], quarantined: [] };
    },
  });
const data = (providerUserId: string, day: string, steps: number): PushNotice => ({
  kind: 'data',
  providerUserId,
  collection: 'dailies',
  payload: { day, steps },
});

describe('data that arrived in a push', () => {
  test('is mapped again only for its user, in its lane and under its version', async () => {
    const ingest = startIngest(harness, pushing(1));
    const [ada, bruno] = [await harness.link({ scopes: [] }), await harness.link({ scopes: [] })];
    await ingest.drain();
    const notices = [data(ada.providerUserId, today, 5), data(ada.providerUserId, '2026-01-05', 6), data(bruno.providerUserId, today, 7)];
    await sendPush(database.current, harness, pushing(1), notices);
    await ingest.drain();
    const before = await recordsOf(database.current, bruno.userId);
    expect(await renormaliseWith(database.current, pushing(1))).toMatchObject({ users: 2, runs: 2, responses: 3, updated: 0, events: 0 });
    expect(await renormaliseWith(database.current, pushing(3), { userId: ada.userId })).toMatchObject({
      updated: 2,
      created: 0,
      events: 2,
    });
    const updated = await eventsOf(database.current, ada.userId, 'daily.data.steps.updated');
    expect(new Set(updated.map((event) => event.is_historical))).toEqual(new Set([false, true]));
    expect(await recordsOf(database.current, bruno.userId)).toEqual(before);
  });

  test('does not overwrite what was pushed later when it is mapped again', async () => {
    const ingest = startIngest(harness, pushing(1));
    const { userId, providerUserId } = await harness.link({ scopes: [] });
    await ingest.drain();
    for (const steps of [5, 6]) {
      await sendPush(database.current, harness, pushing(1), [data(providerUserId, today, steps)]);
      await ingest.drain();
    }
    expect(await renormaliseWith(database.current, pushing(10))).toMatchObject({ runs: 2, updated: 1, events: 1 });
    expect((await recordsOf(database.current, userId)).map((line) => line.split(' ')[4])).toContain('60');
  });
});

describe('data that was pushed while it grew', () => {
  const grown = (linked: Linked, extent: number, steps: number): PushNotice => ({
    kind: 'data',
    providerUserId: linked.providerUserId,
    collection: 'dailies',
    payload: { day: today, steps },
    growth: { item: 'dailies', extent, endMs: Date.parse(`${today}T09:00:00Z`) },
  });

  test('stays as it was when the longer push was processed last, under the version of the shorter one', async () => {
    const { sql } = database.current;
    const ingest = startIngest(harness, pushing(1));
    const linked = await harness.link({ scopes: [] });
    await ingest.drain();
    await sendPush(database.current, harness, pushing(1), [grown(linked, 900, 90)]);
    const [first] = await sql<{ push_id: string; day: string }[]>`UPDATE push_inbox SET state = 'failed' RETURNING push_id, day`;
    await sendPush(database.current, harness, pushing(1), [grown(linked, 300, 30)]);
    await ingest.drain();
    await sql`UPDATE push_inbox SET state = 'received' WHERE push_id = ${first?.push_id ?? ''}`;
    await database.current.transaction((tx) => harness.jobs.workPush(tx, { pushId: first?.push_id ?? '', day: first?.day ?? '' }));
    await ingest.drain();
    const before = await recordsOf(database.current, linked.userId);
    expect(await sql`SELECT DISTINCT version FROM raw_answers WHERE user_id = ${linked.userId}`).toHaveLength(1);
    expect(await renormaliseWith(database.current, pushing(1))).toMatchObject({ runs: 1, responses: 2, created: 0, updated: 0, events: 0 });
    expect(await recordsOf(database.current, linked.userId)).toEqual(before);
    expect(await renormaliseWith(database.current, pushing(2))).toMatchObject({ updated: 1, events: 1 });
    expect((await recordsOf(database.current, linked.userId)).map((line) => line.split(' ')[4])).toEqual(['180']);
  });

  test('is packed once, before the push locks anything, even when a part of it is left out', async () => {
    const { sql } = database.current;
    const steps: string[] = [];
    const sealing = {
      ...cipher,
      sealBytes: (...args: Parameters<typeof cipher.sealBytes>) => (steps.push('seal'), cipher.sealBytes(...args)),
    };
    const connector = withPush(harness, { map: () => (steps.push('map'), { records: [], quarantined: [] }) });
    const linked = await harness.link({ scopes: [] });
    const ingest = createIngest({ ...harness.options, connectorFor: () => connector, cipher: sealing });
    await ingest.drain();
    await sendPush(database.current, harness, connector, [grown(linked, 900, 90), data(linked.providerUserId, today, 1)]);
    await ingest.drain();
    expect(steps).toEqual(['seal', 'map', 'map']);
    await sendPush(database.current, harness, connector, [grown(linked, 300, 30), data(linked.providerUserId, today, 2)]);
    await ingest.drain();
    expect(steps.slice(3)).toEqual(['seal', 'map']);
    const kept = await sql`SELECT answers AS responses FROM raw_answers WHERE user_id = ${linked.userId} ORDER BY version`;
    expect(kept).toEqual([{ responses: 2 }, { responses: 1 }]);
  });

  test('is stored as it was mapped when the push itself changed the user’s facts', async () => {
    const connector = pushing(1);
    const linked = await harness.link({ scopes: [] });
    const ingest = startIngest(harness, connector);
    await ingest.drain();
    const scopes: PushNotice = { kind: 'scopes', providerUserId: linked.providerUserId, grantedScopes: ['move'] };
    await sendPush(database.current, harness, connector, [scopes, data(linked.providerUserId, today, 3)]);
    await ingest.drain();
    await database.current.sql`DELETE FROM raw_answers WHERE source = 'pull'`;
    expect(await database.current.sql`SELECT 1 FROM raw_answers`).toHaveLength(1);
    expect(await vaultText(database.current, cipher)).toContain('"grantedScopes":["move"]');
  });
});

describe('data that the provider removed', () => {
  test('is not restored by an earlier response: samples, workouts and their streams', async () => {
    const workoutId = randomUUID();
    const workout: CanonicalRecord = {
      kind: 'summary',
      id: workoutId,
      resource: 'workouts',
      source: wristbandSource,
      calendarDate: today,
      at: Date.parse(`${today}T08:00:00Z`),
      data: { title: 'Run' },
    };
    const stream: CanonicalRecord = {
      kind: 'stream',
      resource: 'workout_stream',
      workoutId,
      providerId: '1',
      sport: null,
      source: wristbandSource,
      data: { time: [1, 2], heartrate: [80, 90] },
    };
    const responses: CanonicalRecord[][] = [
      [workout, stream, stepsOf(today, 5), stepsOf('2026-03-19', 5)],
      [{ kind: 'summary_removal', resource: 'workouts', id: workoutId }, removalOf(today)],
    ];
    const connector = withPush(harness, { map: ({ payload }) => ({ records: responses[Number(payload)] ?? [], quarantined: [] }) });
    const ingest = startIngest(harness, connector);
    const { userId, providerUserId } = await harness.link({ scopes: [] });
    await ingest.drain();
    for (const payload of [0, 1]) {
      await sendPush(database.current, harness, connector, [{ ...data(providerUserId, today, 0), payload }]);
      await ingest.drain();
    }
    const before = await recordsOf(database.current, userId);
    expect(before).toHaveLength(1);
    const events = (await eventsOf(database.current, userId)).length;
    expect(await renormaliseWith(database.current, connector)).toMatchObject({ runs: 2, created: 0, streams: 0, removed: 0, events: 0 });
    expect(await recordsOf(database.current, userId)).toEqual(before);
    expect((await eventsOf(database.current, userId)).length).toBe(events);
  });
});

describe('an erased user', () => {
  const vaulted = async (userId: string) => (await database.current.sql`SELECT 1 FROM raw_answers WHERE user_id = ${userId}`).length;

  test('is removed from the vault, and no other user is', async () => {
    const [ada, bruno] = [await harness.link(), await harness.link()];
    await harness.ingest.drain();
    const kept = await vaulted(bruno.userId);
    const scheduler = await composeScheduler(database.url, harness);
    try {
      const deletedAt = harness.clock.now().toISOString();
      await database.current.sql`UPDATE users SET deleted_at = ${deletedAt} WHERE user_id = ${ada.userId}`;
      // During the grace period no event names the user either.
      const connector = mended(harness.wristband.connector, doubledSteps(today));
      expect(await renormaliseWith(database.current, connector, { userId: ada.userId })).toMatchObject({ runs: 0, events: 0 });
      harness.clock.advance(8 * 86_400_000);
      expect(await scheduler.runJob('erase_users')).toBe(true);
    } finally {
      await scheduler.close();
    }
    expect(await vaulted(ada.userId)).toBe(0);
    expect(await vaulted(bruno.userId)).toBe(kept);
  });

  test('gets nothing back from a renormalisation in progress', async () => {
    const { userId, teamId } = await harness.link();
    await harness.ingest.drain();
    let isErased = false;
    const { connector } = harness.wristband;
    const pulls = mended(connector, doubledSteps(today)).pulls.map((spec) => ({
      ...spec,
      async *pull(context: Parameters<typeof spec.pull>[0]) {
        for await (const page of spec.pull(context)) {
          if (!isErased) {
            await database.current.transaction(async (tx) => {
              await eraseRecords(tx, { teamId, userId });
              await erasePulls(tx, userId);
            });
          }
          isErased = true;
          yield page;
        }
      },
    }));
    const events = (await eventsOf(database.current, userId)).length;
    const tally = await renormaliseWith(database.current, { ...connector, pulls });
    expect(tally).toMatchObject({ created: 0, updated: 0, events: 0 });
    expect(tally.gone).toBeGreaterThan(0);
    expect(await recordsOf(database.current, userId)).toEqual([]);
    expect((await eventsOf(database.current, userId)).length).toBe(events);
  });
});
