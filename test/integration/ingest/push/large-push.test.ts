import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIngest, createSlots, wakePushes, type Ingest, type IngestOptions } from '@pulsewire/ingest';
import type { Connector } from '@pulsewire/providers';
import { openDatabase } from '@pulsewire/database';
import { Child } from '../../../fault/harness/child.ts';
import { startCommitCutter } from '../../../support/commit-cutter.ts';
import { useDatabase } from '../../../support/database.ts';
import { dayPartBytes, dayPusher } from '../support/day-pusher.ts';
import { sendChunks } from '../support/push-harness.ts';
import { recordsOf } from '../support/vault-harness.ts';
import { createHarness, eventsOf, samplesOf, type Linked, type Harness } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
let linked: readonly [Linked, Linked];
let onMap: (day: string) => void;
const days = Array.from({ length: 8 }, (_, place) => `2026-03-${place + 12}`);

beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE push_inbox, push_bodies, raw_answers`;
  await database.current.sql`DELETE FROM pgboss.job WHERE name = 'ingest-push'`;
  linked = [await harness.link({ scopes: [] }), await harness.link({ scopes: [] })];
  onMap = () => {};
});
afterEach(() => harness.close());

const pusher = (): Connector => dayPusher(harness, (day) => onMap(day));

function workersOf(connector: Connector, more: Partial<IngestOptions> = {}): Ingest {
  const settings = { ...harness.options.settings, pushPartBytes: dayPartBytes };
  return createIngest({ ...harness.options, ...more, settings, connectorFor: () => connector });
}

/** The body in chunks; none of it compresses to less than three quarters. */
async function* arriving(breaksOff = false): AsyncGenerator<Buffer> {
  const people = [...linked.map(({ providerUserId }) => providerUserId), 'nobody'];
  yield Buffer.from('{"days":[');
  for (const [place, day] of days.entries()) {
    for (const [number, user] of people.entries()) {
      const text = JSON.stringify({ user, day, noise: randomBytes(80_000).toString('base64') });
      yield Buffer.from(place + number === 0 ? text : `,${text}`);
      await setImmediate();
    }
  }
  if (breaksOff) throw new Error('The line is down');
  yield Buffer.from(']}');
}

const inbox = async () => {
  const [row] = await database.current.sql<
    { state: string; notices: number; unknown_users: number; items_done: string; pieces: number; attempts: number }[]
  >`SELECT state, notices, unknown_users, items_done, pieces, attempts FROM push_inbox`;
  return row;
};
const count = async (table: 'push_inbox' | 'push_bodies' | 'raw_answers') =>
  (await database.current.sql`SELECT 1 FROM ${database.current.sql(table)}`).length;

describe('a push that is too large to be kept in memory', () => {
  test('is stored in sealed pieces while it arrives, and processed in parts under one version', async () => {
    const connector = pusher();
    expect((await sendChunks(database.current, harness, connector, arriving())).status).toBe(204);
    expect((await inbox())?.pieces).toBeGreaterThan(1);
    expect(await count('push_bodies')).toBe((await inbox())?.pieces);
    const inside = await database.current
      .sql`SELECT 1 FROM push_bodies WHERE position(${'"noise"'}::bytea IN body) > 0 OR substring(body FROM 1 FOR 2) = '\\x1f8b'`;
    expect(inside).toHaveLength(0);

    await workersOf(connector).drain();
    expect(await inbox()).toMatchObject({ state: 'done', notices: 24, items_done: '24' });
    for (const { userId } of linked) expect(await samplesOf(database.current, userId)).toBe(8);
    const kept = await database.current.sql`SELECT DISTINCT version FROM raw_answers`;
    expect(kept).toHaveLength(1);
    expect(await count('raw_answers')).toBeGreaterThan(8);
    expect(await recordsOf(database.current, linked[0].userId)).toHaveLength(8);
  });

  test('keeps its body when the response to the COMMIT that stored it was lost', async () => {
    const connector = pusher();
    const cutter = await startCommitCutter(database.url);
    const behind = openDatabase({ url: cutter.url, connectionsMax: 2 });
    try {
      cutter.loses = (number) => number === 1;
      await expect(sendChunks(behind, harness, connector, arriving())).rejects.toThrow();
      expect(cutter.lost).toBe(1);
    } finally {
      await behind.close();
      await cutter.close();
    }
    await workersOf(connector).drain();
    expect(await inbox()).toMatchObject({ state: 'done', notices: 24, items_done: '24' });
  });

  test('continues where its worker was interrupted, and repeats nothing', async () => {
    const connector = pusher();
    await sendChunks(database.current, harness, connector, arriving());
    const mapped: string[] = [];
    onMap = (day) => {
      if (day === days[4] && !mapped.includes('cut')) {
        mapped.push('cut');
        throw new Error('Killed');
      }
      mapped.push(day);
    };
    const ingest = workersOf(connector);
    await ingest.drain();
    const cut = await inbox();
    expect(cut).toMatchObject({ state: 'received', attempts: 1 });
    expect(Number(cut?.items_done)).toBeGreaterThan(8);
    expect(await samplesOf(database.current, linked[0].userId)).toBeGreaterThan(2);

    const before = mapped.indexOf('cut');
    await database.current.sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'ingest-push'`;
    await ingest.drain();
    expect(await inbox()).toMatchObject({ state: 'done', notices: 24 });
    expect(mapped.slice(before + 1).some((day) => day < (days[3] ?? ''))).toBe(false);
    for (const { userId } of linked) expect(await samplesOf(database.current, userId)).toBe(8);
  });

  test('continues in the next process after its worker was killed within a part, and repeats nothing', { timeout: 60_000 }, async () => {
    await sendChunks(database.current, harness, pusher(), arriving());
    const worker = new Child({
      name: 'push-worker',
      file: path.join(import.meta.dirname, '../support/push-worker.ts'),
      args: (life) => [database.url, life === 1 ? (days[4] ?? '') : ''],
    });
    const isHalfStored = async () =>
      (await database.current.sql`SELECT 1 FROM pg_stat_activity WHERE application_name = 'push-worker' AND state = 'idle in transaction'`)
        .length > 0;
    worker.start();
    try {
      await expect.poll(async () => Number((await inbox())?.items_done), { timeout: 20_000 }).toBe(12);
      await expect.poll(isHalfStored).toBe(true);
      await worker.crash();
      // Counted before processing, because a killed worker cannot record its outcome.
      expect(await inbox()).toMatchObject({ state: 'received', attempts: 1 });
      // The scheduler notices that no worker is processing it.
      await wakePushes({ database: database.current, jobs: harness.jobs }, harness.clock.now());
      await expect.poll(async () => (await inbox())?.state, { timeout: 20_000 }).toBe('done');
    } finally {
      await worker.stop();
    }
    expect(await inbox()).toMatchObject({ notices: 24, unknown_users: 8, items_done: '24', attempts: 0 });
    for (const { userId } of linked) {
      expect(await samplesOf(database.current, userId)).toBe(8);
      expect(await eventsOf(database.current, userId, 'daily.data.steps.%')).toHaveLength(8);
    }
    expect(await count('raw_answers')).toBe(16);
  });

  test('is given up when it has killed twenty workers', async () => {
    await sendChunks(database.current, harness, pusher(), arriving());
    await database.current.sql`UPDATE push_inbox SET attempts = 20`;
    await workersOf(pusher()).drain();
    expect(await inbox()).toMatchObject({ state: 'failed', items_done: '0' });
    expect(await wakePushes({ database: database.current, jobs: harness.jobs }, harness.clock.now())).toBe(0);
  });

  test('yields to other pushes after some time, and continues in another job', async () => {
    const connector = pusher();
    await sendChunks(database.current, harness, connector, arriving());
    onMap = () => harness.clock.advance(20_000);
    await workersOf(connector).drain();
    expect(await inbox()).toMatchObject({ state: 'done', notices: 24 });
    const jobs = await database.current.sql`SELECT 1 FROM pgboss.job WHERE name = 'ingest-push' AND state = 'completed'`;
    expect(jobs.length).toBeGreaterThan(3);
  });

  test('is completed by one of two workers that process it at the same time', async () => {
    const connector = pusher();
    await sendChunks(database.current, harness, connector, arriving());
    let other: Promise<void> | undefined;
    const quick = workersOf(connector);
    const slow = workersOf(connector, {
      // The other worker completes all parts before this one stores its first.
      cipher: {
        ...harness.options.cipher,
        openBytes: (sealed, context) => {
          other ??= database.current
            .transaction(async (tx) => {
              const [row] = await tx.sql<{ push_id: string; day: string }[]>`SELECT push_id, day FROM push_inbox`;
              await harness.jobs.workPush(tx, { pushId: row?.push_id ?? '', day: row?.day ?? '' });
            })
            .then(() => quick.drain());
          return harness.options.cipher.openBytes(sealed, context);
        },
      },
    });
    await slow.drain();
    await other;
    expect(await inbox()).toMatchObject({ state: 'done', notices: 24, items_done: '24', attempts: 0 });
  });

  test('leaves nothing behind when it is interrupted, or when too many arrive at once', async () => {
    const connector = pusher();
    await expect(sendChunks(database.current, harness, connector, arriving(true))).rejects.toThrow('The line is down');
    const largeBodies = createSlots({ atOnce: 1, waitMs: 1 });
    const release = await largeBodies.take();
    await expect(sendChunks(database.current, harness, connector, arriving(), { largeBodies })).rejects.toMatchObject({
      code: 'push_capacity_exceeded',
    });
    expect([await count('push_inbox'), await count('push_bodies')]).toEqual([0, 0]);
    release();
    expect((await sendChunks(database.current, harness, connector, arriving(), { largeBodies })).status).toBe(204);
  });
});

test('packing a push for the vault takes as many statements for forty connections as for one', async () => {
  const connector = pusher();
  const statementsFor = async (people: readonly Linked[]) => {
    let statements = 0;
    const sql = new Proxy(database.current.sql, {
      apply(target, self, args: unknown[]) {
        statements += 1;
        return Reflect.apply(target as (...all: unknown[]) => unknown, self, args);
      },
    });
    const rows = people.map(({ providerUserId: user }) => ({ user, day: days[0], noise: '' }));
    await sendChunks(database.current, harness, connector, [Buffer.from(JSON.stringify({ days: rows }))]);
    await workersOf(connector, { database: { ...database.current, sql } }).drain();
    return statements;
  };
  const crowd: Linked[] = [];
  for (let place = 0; place < 40; place++) crowd.push(await harness.link({ scopes: [] }));
  await harness.ingest.drain();
  const one = await statementsFor(crowd.slice(0, 1));
  expect(await statementsFor(crowd)).toBe(one);
  expect(await count('raw_answers')).toBe(41);
});
