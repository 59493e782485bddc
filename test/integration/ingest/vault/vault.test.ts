import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIngest, maintainVault } from '@pulsewire/ingest';
import type { Connector } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { complete, doubledSteps, mended, newLines, recordsOf, renormaliseWith, repaired, valueAt } from '../support/vault-harness.ts';
import { createHarness, eventsOf, type Linked, type Harness } from '../support/harness.ts';
import { providerError } from '../support/wristband.ts';

const database = useDatabase();
let harness: Harness;
let linked: Linked;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE raw_answers`;
  linked = await harness.link();
});
afterEach(() => harness.close());

const eventCount = async (userId: string) => (await eventsOf(database.current, userId)).length;
const wrong = '2026-03-15';
const at = `${wrong}T00:00:00Z`;

describe('renormalising', () => {
  test('with a fixed mapper writes and emits only what it maps differently, and makes no call', async () => {
    await harness.ingest.drain();
    const before = await recordsOf(database.current, linked.userId);
    const [events, calls] = [await eventCount(linked.userId), harness.wristband.calls.length];
    const connector = mended(harness.wristband.connector, doubledSteps('2026-03-14', wrong));
    const tally = await renormaliseWith(database.current, connector);
    expect(tally).toMatchObject({ users: 1, created: 0, updated: 6, events: 2, quarantined: 0, notInVault: 0 });
    const after = await recordsOf(database.current, linked.userId);
    expect(newLines(before, after)).toHaveLength(6);
    expect(newLines(before, after).every((line) => line.startsWith('steps'))).toBe(true);
    expect(await eventCount(linked.userId)).toBe(events + 2);
    const news = (await eventsOf(database.current, linked.userId)).slice(events);
    expect(news).toEqual(news.map(() => expect.objectContaining({ event_type: 'daily.data.steps.updated', is_historical: true })));
    expect(harness.wristband.calls.length).toBe(calls);
    // Under the version with which they were received.
    const versions = (lines: readonly string[]) => lines.map((line) => Number(/ v (\d+)/.exec(line)?.[1])).toSorted((a, b) => a - b);
    expect(versions(after)).toEqual(versions(before));
  });

  test('with the same mapper writes nothing and emits nothing', async () => {
    await harness.ingest.drain();
    const before = await recordsOf(database.current, linked.userId);
    const events = await eventCount(linked.userId);
    const tally = await renormaliseWith(database.current, harness.wristband.connector);
    expect(tally).toMatchObject({ created: 0, updated: 0, events: 0, notInVault: 0 });
    expect(tally.responses).toBe(harness.wristband.calls.length);
    expect(tally.records).toBe(before.length);
    expect(await recordsOf(database.current, linked.userId)).toEqual(before);
    expect(await eventCount(linked.userId)).toBe(events);
  });

  test('a second time changes nothing', async () => {
    await harness.ingest.drain();
    const connector = mended(harness.wristband.connector, doubledSteps(wrong));
    expect((await renormaliseWith(database.current, connector)).updated).toBe(3);
    expect(await renormaliseWith(database.current, connector)).toMatchObject({ created: 0, updated: 0, events: 0 });
  });

  test('stores what could not be mapped before', async () => {
    harness.wristband.setValue('moves', wrong, -1);
    await harness.ingest.drain();
    expect(await valueAt(database.current, linked.userId, 'steps', at)).toBeUndefined();
    const events = await eventCount(linked.userId);
    expect((await renormaliseWith(database.current, harness.wristband.connector)).quarantined).toBe(1);
    expect(await renormaliseWith(database.current, repaired(harness.wristband.connector))).toMatchObject({
      created: 2,
      updated: 0,
      events: 2,
      quarantined: 0,
    });
    expect(await valueAt(database.current, linked.userId, 'steps', at)).toBeGreaterThan(0);
    expect(await eventCount(linked.userId)).toBe(events + 2);
  });

  test('as a dry run reports the same but writes nothing', async () => {
    await harness.ingest.drain();
    const connector = mended(harness.wristband.connector, doubledSteps(wrong, '2026-03-16'));
    const before = await recordsOf(database.current, linked.userId);
    const events = await eventCount(linked.userId);
    const dry = await renormaliseWith(database.current, connector, { isDryRun: true });
    expect(await recordsOf(database.current, linked.userId)).toEqual(before);
    expect(await eventCount(linked.userId)).toBe(events);
    const real = await renormaliseWith(database.current, connector);
    expect({ ...dry }).toMatchObject({ updated: 6, events: 2, responses: real.responses, records: real.records });
    expect(real).toMatchObject({ updated: 6, events: 2 });
  });

  test('is limited to the given days, resources, users and teams', async () => {
    const other = await harness.link();
    await harness.ingest.drain();
    const connector = mended(harness.wristband.connector, doubledSteps(wrong));
    const changes = async (more: Parameters<typeof renormaliseWith>[2]) =>
      (await renormaliseWith(database.current, connector, { isDryRun: true, ...more })).updated;
    expect(await changes({})).toBe(6);
    expect(await changes({ userId: other.userId })).toBe(3);
    expect(await changes({ teamId: harness.teamId })).toBe(6);
    expect(await changes({ teamId: linked.userId })).toBe(0);
    expect(await changes({ resources: ['distance', 'weight'] })).toBe(0);
    expect(await changes({ resources: ['steps'] })).toBe(6);
    expect(await changes({ from: '2026-03-20' })).toBe(0);
    expect(await changes({ from: wrong, to: wrong })).toBe(6);
    await renormaliseWith(database.current, connector, { userId: other.userId });
    expect(await valueAt(database.current, linked.userId, 'steps', at)).toBe(harness.wristband.valueOf('moves', wrong));
  });
});

describe('a user’s ingestion bounds', () => {
  test('apply to what is mapped again, whatever the responses and mappers return', async () => {
    const { userId } = await harness.link({ ingestionStart: '2026-03-10' });
    await harness.ingest.drain();
    const before = await recordsOf(database.current, userId);
    const days = ['2026-02-01', '2026-03-12'];
    const connector = mended(harness.wristband.connector, (record) =>
      record.kind === 'samples' && record.resource === 'steps'
        ? { ...record, samples: days.map((day) => ({ ts: Date.parse(`${day}T05:00:00Z`), value: 4, timezoneOffset: 0 })) }
        : record,
    );
    expect(await renormaliseWith(database.current, connector, { userId })).toMatchObject({ created: 1, updated: 0, events: 1 });
    expect(await valueAt(database.current, userId, 'steps', '2026-03-12T05:00:00Z')).toBe(4);
    expect(await valueAt(database.current, userId, 'steps', '2026-02-01T05:00:00Z')).toBeUndefined();
    expect(newLines(before, await recordsOf(database.current, userId))).toHaveLength(1);
  });

  test('apply to days that were read before the bounds were set', async () => {
    harness.wristband.setValue('moves', wrong, -1);
    await harness.ingest.drain();
    await database.current.sql`UPDATE users SET ingestion_start = '2026-03-18' WHERE user_id = ${linked.userId}`;
    expect(await renormaliseWith(database.current, repaired(harness.wristband.connector))).toMatchObject({
      created: 0,
      updated: 0,
      events: 0,
    });
    expect(await valueAt(database.current, linked.userId, 'steps', at)).toBeUndefined();
  });
});

describe('a value that was received later', () => {
  const readAgain = async (isKept: boolean) => {
    const ingest = createIngest({ ...harness.options, settings: { ...harness.options.settings, storeRawResponses: isKept } });
    harness.clock.advance(3_600_000);
    await harness.planDuePulls();
    await ingest.drain();
  };
  const today = '2026-03-20';
  const todayAt = `${today}T00:00:00Z`;

  test('stays, whether changed or equal, when its response is not in the vault', async () => {
    await harness.ingest.drain();
    harness.wristband.setValue('moves', today, 777);
    await readAgain(false);
    const before = await recordsOf(database.current, linked.userId);
    const connector = mended(harness.wristband.connector, doubledSteps(today, '2026-03-19'));
    expect(await renormaliseWith(database.current, connector)).toMatchObject({ created: 0, updated: 0, events: 0 });
    expect(await recordsOf(database.current, linked.userId)).toEqual(before);
    expect(await valueAt(database.current, linked.userId, 'steps', todayAt)).toBe(777);
  });

  test('is mapped again from the vault, with one event, and none for the older responses', async () => {
    harness.wristband.setValue('moves', today, 10);
    await harness.ingest.drain();
    harness.wristband.setValue('moves', today, 20);
    await readAgain(true);
    await readAgain(true);
    const events = await eventCount(linked.userId);
    const connector = mended(harness.wristband.connector, doubledSteps(today));
    expect(await renormaliseWith(database.current, connector)).toMatchObject({ created: 0, updated: 3, events: 1 });
    expect(await valueAt(database.current, linked.userId, 'steps', todayAt)).toBe(40);
    expect(await eventCount(linked.userId)).toBe(events + 1);
    await readAgain(true);
    expect(await valueAt(database.current, linked.userId, 'steps', todayAt)).toBe(20);
  });
});

describe('a value that could not be mapped in several readings', () => {
  test('is stored as in the newest reading, and announced once', async () => {
    harness.wristband.setValue('moves', '2026-03-20', -1);
    await harness.ingest.drain();
    harness.clock.advance(3_600_000);
    await harness.planDuePulls();
    await harness.ingest.drain();
    const [newest] = await database.current.sql<
      { version: string }[]
    >`SELECT max(version) AS version FROM raw_answers WHERE pull = 'moves'`;
    expect(await renormaliseWith(database.current, repaired(harness.wristband.connector))).toMatchObject({
      created: 2,
      updated: 0,
      events: 2,
    });
    expect(await valueAt(database.current, linked.userId, 'steps', '2026-03-20T00:00:00Z')).toBe(Number(newest?.version));
  });
});

describe('a value that could not be mapped and was then deleted at the provider', () => {
  test('is not restored when it can be mapped', async () => {
    const connector = complete(harness.wristband.connector);
    const ingest = createIngest({ ...harness.options, connectorFor: () => connector });
    harness.wristband.setValue('moves', '2026-03-20', -1);
    harness.wristband.setValue('moves', '2026-03-19', -1);
    await ingest.drain();
    harness.wristband.setValue('moves', '2026-03-20', 0);
    harness.wristband.setValue('moves', '2026-03-19', 7);
    harness.clock.advance(3_600_000);
    await harness.planDuePulls();
    await ingest.drain();
    const before = await recordsOf(database.current, linked.userId);
    for (const isDryRun of [true, false])
      expect(await renormaliseWith(database.current, repaired(connector), { isDryRun })).toMatchObject({
        created: 0,
        updated: 0,
        events: 0,
      });
    expect(await recordsOf(database.current, linked.userId)).toEqual(before);
    expect(await valueAt(database.current, linked.userId, 'steps', '2026-03-20T00:00:00Z')).toBeUndefined();
    expect(await valueAt(database.current, linked.userId, 'steps', '2026-03-19T00:00:00Z')).toBe(7);
  });
});

describe('a request that is not in the vault', () => {
  const asking = (more: (http: Parameters<Connector['pulls'][number]['pull']>[0]['http']) => Promise<unknown>): Connector => {
    const { connector } = harness.wristband;
    const pulls = connector.pulls.map((spec) => ({
      ...spec,
      async *pull(context: Parameters<typeof spec.pull>[0]) {
        if (spec.name === 'moves') await more(context.http);
        yield* (
          mended(connector, doubledSteps(wrong))
            .pulls.find(({ name }) => name === spec.name)
            ?.pull(context) ?? []
        );
      },
    }));
    return { ...connector, pulls };
  };

  test('ends its window, whatever the connector does with the failure, and no other window', async () => {
    await harness.ingest.drain();
    const calls = harness.wristband.calls.length;
    for (const more of [asking((http) => http.get('/news')), asking((http) => http.get('/news').catch(() => null))]) {
      const tally = await renormaliseWith(database.current, more);
      expect(tally).toMatchObject({ updated: 0, events: 0 });
      expect(tally.notInVault).toBeGreaterThan(2);
      expect(tally.runs).toBeGreaterThan(tally.notInVault);
    }
    expect(harness.wristband.calls.length).toBe(calls);
  });

  test('differs from one that was rejected: the refusal is repeated, and its window is complete', async () => {
    const connector = asking((http) => http.get('/gone').catch((error: unknown) => error));
    harness.wristband.onCall = ({ path }) => {
      if (path === '/gone') throw providerError('provider_permanent', { status: 404 });
    };
    await createIngest({ ...harness.options, connectorFor: () => connector }).drain();
    const seen: unknown[] = [];
    const replayed = asking((http) => http.get('/gone').catch((error: unknown) => seen.push(error)));
    expect(await renormaliseWith(database.current, replayed)).toMatchObject({ notInVault: 0, updated: 0, events: 0 });
    expect(seen[0]).toMatchObject({ code: 'provider_permanent', details: { status: 404 } });
  });

  test('includes one whose response was too large to be stored', async () => {
    const { connector } = harness.wristband;
    const options = { ...harness.options };
    options.sendFor = (request) => {
      const send = harness.options.sendFor(request);
      return async (method, path, call) => ({
        ...(await send(method, path, call)),
        ...(path === `/scales/${wrong}` && { bytes: Buffer.alloc(9 * 1024 * 1024) }),
      });
    };
    await createIngest(options).drain();
    const tally = await renormaliseWith(database.current, connector);
    expect(tally).toMatchObject({ notInVault: 1, updated: 0, events: 0 });
    const [kept] = await database.current.sql<{ bytes: number }[]>`SELECT max(octet_length(body)) AS bytes FROM raw_answers`;
    expect(kept?.bytes).toBeLessThan(100_000);
  });
});

describe('the vault', () => {
  test('stores a page with its responses, or neither', async () => {
    const { connector } = harness.wristband;
    const pulls = connector.pulls.map((spec) => ({
      ...spec,
      async *pull(context: Parameters<typeof spec.pull>[0]) {
        let pages = 0;
        for await (const page of spec.pull(context)) {
          pages += 1;
          yield page;
          if (spec.name === 'scales' && pages === 3) throw providerError('provider_permanent', { status: 400 });
        }
      },
    }));
    await createIngest({ ...harness.options, connectorFor: () => ({ ...connector, pulls }) }).drain();
    const [row] = await database.current.sql<{ pages: string; parts: string }[]>`
      SELECT (SELECT sum(pages) FROM pull_windows WHERE connection_id = ${linked.connectionId}) AS pages,
        (SELECT sum(answers) FROM raw_answers WHERE connection_id = ${linked.connectionId}) AS parts`;
    expect(Number(row?.pages)).toBeGreaterThan(3);
    expect(row?.parts).toBe(row?.pages);
    // The interrupted window ends at the same place again, which does not count as missing from the vault.
    expect(await renormaliseWith(database.current, connector)).toMatchObject({ notInVault: 0, updated: 0, events: 0, failed: new Map() });
  });

  test('stores nothing when it is switched off', async () => {
    await createIngest({ ...harness.options, settings: { ...harness.options.settings, storeRawResponses: false } }).drain();
    expect(await database.current.sql`SELECT 1 FROM raw_answers`).toHaveLength(0);
    expect(await renormaliseWith(database.current, harness.wristband.connector)).toMatchObject({ users: 0, runs: 0 });
  });

  test('has daily partitions, and drops the expired ones', async () => {
    await harness.ingest.drain();
    const days = async () =>
      (await database.current.sql<{ day: string }[]>`SELECT DISTINCT day FROM raw_answers ORDER BY day`).map(({ day }) => day);
    expect(await days()).toEqual(['2026-03-20']);
    expect(await maintainVault(database.current, { today: '2026-03-20', keepDays: 14 })).toEqual([]);
    const [storage] = await database.current.sql`
      SELECT attstorage FROM pg_attribute WHERE attrelid = 'raw_answers_20260320'::regclass AND attname = 'body'`;
    expect(storage).toEqual({ attstorage: 'e' });
    expect(await maintainVault(database.current, { today: '2026-04-03', keepDays: 14 })).toEqual([]);
    expect(await days()).toEqual(['2026-03-20']);
    expect(await maintainVault(database.current, { today: '2026-04-04', keepDays: 14 })).toEqual(['raw_answers_20260320']);
    expect(await days()).toEqual([]);
  });
});
