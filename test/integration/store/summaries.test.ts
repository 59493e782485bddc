import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFrom, shardOf, withEvents } from '@pulsewire/eventlog';
import { readSummaries, writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

async function write(owner: RecordOwner, version: number, days: readonly (readonly [id: string, steps: number])[]) {
  return withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, {
      owner,
      version: BigInt(version),
      origin: 'live',
      sourceId: 3,
      traceId: null,
      records: days.map(([id, steps]) => ({
        kind: 'summary',
        id,
        resource: 'activity',
        source: { provider: 'fitbit', type: 'watch' },
        calendarDate: '2026-01-05',
        at: Date.UTC(2026, 0, 5),
        data: { steps },
      })),
    }),
  );
}

function newOwner(): RecordOwner {
  return { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' };
}

describe('summaries', () => {
  test('end as the version received last of each id, in any order and repetition of responses', async () => {
    const responses = fc.array(
      fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 })), { minLength: 1, selector: ([id]) => id }),
      { minLength: 1, maxLength: 6 },
    );
    const plans = responses.chain((list) =>
      fc.tuple(fc.constant(list), fc.array(fc.integer({ min: 0, max: list.length - 1 }), { minLength: 1, maxLength: 10 })),
    );
    await fc.assert(
      fc.asyncProperty(plans, async ([list, extra]) => {
        const owner = newOwner();
        const ids = Array.from({ length: 4 }, () => randomUUID());
        const order = [...extra, ...list.keys()];
        for (const index of order)
          await write(
            owner,
            index + 1,
            (list[index] ?? []).map(([id, steps]) => [ids[id] ?? '', steps] as const),
          );
        const expected = new Map<string, number>();
        for (const response of list) for (const [id, steps] of response) expected.set(ids[id] ?? '', steps);
        const stored = await readSummaries(database.current, { ...owner, resource: 'activity', window: { by: 'all' } });
        expect(new Map(stored.map((row) => [row['id'], row['steps']]))).toEqual(expected);
        const events = await readFrom(database.current, [{ shard: shardOf(owner.userId), offset: 0, day: '2020-01-01' }], 10_000);
        const logged = new Map<unknown, unknown>();
        for (const event of events.filter((candidate) => candidate.userId === owner.userId)) {
          const data = JSON.parse(event.body.kind === 'json' ? event.body.json : '{}') as Record<string, unknown>;
          expect(logged.has(data['id'])).toBe(event.eventType === 'daily.data.activity.updated');
          logged.set(data['id'], data['steps']);
        }
        expect(logged).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('an equal summary writes no row and emits nothing', async () => {
    const owner = newOwner();
    const id = randomUUID();
    await write(owner, 1, [[id, 5]]);
    const [before] = await database.current.sql`SELECT xmin::text, ctid::text FROM summaries WHERE id = ${id}`;
    expect(await write(owner, 2, [[id, 5]])).toMatchObject({ summariesReceived: 1, summariesCreated: 0, summariesUpdated: 0, events: 0 });
    const [after] = await database.current.sql`SELECT xmin::text, ctid::text FROM summaries WHERE id = ${id}`;
    expect(after).toEqual(before);
  });

  test('an update keeps the time of creation and moves the time of the update', async () => {
    const owner = newOwner();
    const id = randomUUID();
    await write(owner, 1, [[id, 5]]);
    await database.current.sql`UPDATE summaries SET created_at = '2026-01-01', updated_at = '2026-01-01' WHERE id = ${id}`;
    await write(owner, 2, [[id, 6]]);
    const [stored] = await readSummaries(database.current, {
      ...owner,
      resource: 'activity',
      window: { by: 'day', from: '2026-01-05', to: '2026-01-05' },
    });
    expect(stored?.['created_at']).toBe('2026-01-01T00:00:00+00:00');
    expect(stored?.['updated_at']).not.toBe('2026-01-01T00:00:00+00:00');
  });

  test("a summary of another team's user is not returned", async () => {
    const owner = newOwner();
    await write(owner, 1, [[randomUUID(), 5]]);
    expect(
      await readSummaries(database.current, { teamId: randomUUID(), userId: owner.userId, resource: 'activity', window: { by: 'all' } }),
    ).toEqual([]);
  });
});
