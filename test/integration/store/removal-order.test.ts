import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { unpackStream, type CanonicalRecord } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 8 });
const startMs = Date.UTC(2026, 0, 5);
const keysMax = 6;
const writers = 3;
const source = { provider: 'strava', type: 'app' };

/** Content of one response by key: a value, or null for a deletion. */
type ReceivedResponse = readonly (readonly [key: number, value: number | null])[];

interface Plan {
  /** In order of receipt. */
  readonly answers: readonly ReceivedResponse[];
  /** The order in which they are written, and by which writer; some are written more than once. */
  readonly writes: readonly { readonly answer: number; readonly writer: number }[];
}

const response: fc.Arbitrary<ReceivedResponse> = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 0, max: keysMax - 1 }), fc.option(fc.integer({ min: 0, max: 1 }), { nil: null, freq: 2 })),
  { minLength: 1, maxLength: keysMax, selector: ([key]) => key },
);

const plans: fc.Arbitrary<Plan> = fc.array(response, { minLength: 2, maxLength: 7 }).chain((responses) => {
  const indices = responses.map((_, index) => index);
  return fc
    .tuple(
      fc.shuffledSubarray(indices, { minLength: responses.length, maxLength: responses.length }),
      fc.array(fc.constantFrom(...indices), { maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: writers - 1 }), { minLength: responses.length + 4, maxLength: responses.length + 4 }),
    )
    .map(([order, repeats, who]) => ({
      answers: responses,
      writes: [...order, ...repeats].map((index, place) => ({ answer: index, writer: who[place] ?? 0 })),
    }));
});

/** One kind of record: its records in a response, and its stored values by key. */
interface Kind {
  readonly name: string;
  records(response: ReceivedResponse, ids: readonly string[]): CanonicalRecord[];
  stored(owner: RecordOwner, ids: readonly string[]): Promise<Map<number, number>>;
}

const removalsOf = (of: ReceivedResponse, ids: readonly string[]) =>
  of.flatMap(([key, value]): CanonicalRecord[] =>
    value === null ? [{ kind: 'summary_removal', resource: 'workouts', id: ids[key] ?? '' }] : [],
  );

const samples: Kind = {
  name: 'samples',
  records(of) {
    const timeOf = (key: number) => startMs + key * 60_000;
    const written = of.flatMap(([key, value]) => (value === null ? [] : [{ ts: timeOf(key), value, timezoneOffset: 0 }]));
    const removed = of.flatMap(([key, value]) => (value === null ? [timeOf(key)] : []));
    return [
      { kind: 'samples', resource: 'steps', source, samples: written },
      { kind: 'sample_removal', resource: 'steps', source, ts: removed },
    ];
  },
  async stored({ userId }) {
    const rows = await database.current.sql<{ ms: number; value: number }[]>`
      SELECT date_part('epoch', ts) * 1000 AS ms, value FROM all_samples JOIN sources USING (user_source_id) WHERE user_id = ${userId} ORDER BY ts`;
    return new Map(rows.map(({ ms, value }) => [(ms - startMs) / 60_000, value]));
  },
};

const summaries: Kind = {
  name: 'summaries',
  records: (of, ids) => [
    ...removalsOf(of, ids),
    ...of.flatMap(([key, value]): CanonicalRecord[] => {
      const id = ids[key] ?? '';
      const summary = { kind: 'summary', id, resource: 'workouts', source, calendarDate: '2026-01-05', at: startMs } as const;
      return value === null ? [] : [{ ...summary, data: { value } }];
    }),
  ],
  async stored({ userId }, ids) {
    const rows = await database.current.sql<
      { id: string; value: number }[]
    >`SELECT id, (data->>'value')::int AS value FROM summaries WHERE user_id = ${userId}`;
    return new Map(rows.map(({ id, value }) => [ids.indexOf(id), value]));
  },
};

const streams: Kind = {
  name: 'workout streams',
  records: (of, ids) => [
    ...removalsOf(of, ids),
    ...of.flatMap(([key, value]): CanonicalRecord[] => {
      const stream = {
        kind: 'stream',
        resource: 'workout_stream',
        workoutId: ids[key] ?? '',
        providerId: '9',
        sport: null,
        source,
      } as const;
      return value === null ? [] : [{ ...stream, data: { time: [1], heartrate: [value] } }];
    }),
  ],
  async stored({ userId }, ids) {
    const rows = await database.current.sql<
      { id: string; packed: Buffer }[]
    >`SELECT workout_id AS id, packed FROM workout_streams WHERE user_id = ${userId}`;
    return new Map(rows.map(({ id, packed }) => [ids.indexOf(id), unpackStream(packed).heartrate?.[0] as number]));
  },
};

function latest(responses: readonly ReceivedResponse[]): Map<number, number> {
  const state = new Map<number, number>();
  for (const [key, value] of responses.flat()) {
    if (value === null) state.delete(key);
    else state.set(key, value);
  }
  return state;
}

const sorted = (state: Map<number, number>) => [...state].sort(([a], [b]) => a - b);
const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });
const write = (owner: RecordOwner, version: number, records: readonly CanonicalRecord[]) =>
  withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version: BigInt(version), origin: 'live', sourceId: 4, traceId: null, records }),
  );

describe.each([samples, summaries, streams])('$name', (kind) => {
  test.each([
    ['one writer', 1],
    ['several writers', writers],
  ])('end in the state of version order, whatever the order of writes and removals (%s)', async (_, lanes) => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const owner = newOwner();
        const ids = Array.from({ length: keysMax }, () => randomUUID());
        await Promise.all(
          Array.from({ length: lanes }, async (__, lane) => {
            for (const item of plan.writes)
              if (item.writer % lanes === lane) await write(owner, item.answer + 1, kind.records(plan.answers[item.answer] ?? [], ids));
          }),
        );
        expect(sorted(await kind.stored(owner, ids))).toEqual(sorted(latest(plan.answers)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a removal', () => {
  const stepsAt = (...minutes: number[]) =>
    samples.records(
      minutes.map((minute) => [minute, 1]),
      [],
    );
  const removedAt = (...minutes: number[]) =>
    samples.records(
      minutes.map((minute) => [minute, null]),
      [],
    );

  test('prevents an older response from restoring and announcing a sample', async () => {
    const owner = newOwner();
    await write(owner, 1, stepsAt(0, 1));
    expect(await write(owner, 5, removedAt(0, 1))).toMatchObject({ removed: 2 });
    expect(await write(owner, 3, stepsAt(0, 1))).toMatchObject({ samplesCreated: 0, events: 0 });
  });

  test('of samples that were never stored is remembered', async () => {
    const owner = newOwner();
    await write(owner, 5, removedAt(0));
    expect(await write(owner, 3, stepsAt(0, 1))).toMatchObject({ samplesCreated: 1 });
  });

  test('loses to a later response that confirmed the sample unchanged', async () => {
    const owner = newOwner();
    await write(owner, 1, stepsAt(0, 1));
    await write(owner, 7, stepsAt(0));
    expect(await write(owner, 5, removedAt(0, 1))).toMatchObject({ removed: 1 });
    expect([...(await samples.stored(owner, [])).keys()]).toEqual([0]);
  });

  test('of a workout prevents an older response from storing and announcing its stream', async () => {
    const owner = newOwner();
    const ids = [randomUUID()];
    await write(owner, 1, [...summaries.records([[0, 1]], ids), ...streams.records([[0, 1]], ids)]);
    await write(owner, 5, removalsOf([[0, null]], ids));
    expect(await write(owner, 3, streams.records([[0, 2]], ids))).toMatchObject({ streamsWritten: 0, events: 0 });
    expect(await streams.stored(owner, ids)).toEqual(new Map());
  });

  test('never deadlocks with another of the same user, in any order of series', async () => {
    const owner = newOwner();
    const batch = (subKind: string, version: number) => ({
      owner,
      version: BigInt(version),
      origin: 'live' as const,
      sourceId: 4,
      traceId: null,
      records: [{ kind: 'sample_removal', resource: 'steps', subKind, source, ts: [startMs] } as const],
    });
    const sampleOf = (subKind: string): CanonicalRecord => ({
      kind: 'samples',
      resource: 'steps',
      subKind,
      source,
      samples: [{ ts: startMs, value: 1, timezoneOffset: 0 }],
    });
    await write(owner, 1, [sampleOf('a'), sampleOf('b')]);
    let other: Promise<unknown> | undefined;
    await withEvents(database.current, async (tx, emit) => {
      await writeRecords(tx, emit, batch('a', 2));
      other = withEvents(database.current, async (otherTx, otherEmit) => {
        await writeRecords(otherTx, otherEmit, batch('b', 3));
        await writeRecords(otherTx, otherEmit, batch('a', 3));
      });
      other.catch(() => {});
      await vi.waitUntil(
        async () =>
          (await database.current.sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
            .length > 0,
        { timeout: 10_000 },
      );
      await writeRecords(tx, emit, batch('b', 2));
    });
    await expect(other).resolves.toBeUndefined();
  });

  test('takes the same number of statements for a thousand series as for one', async () => {
    const owner = newOwner();
    const removalOf = (count: number): CanonicalRecord[] =>
      Array.from({ length: count }, (_, index) => ({
        kind: 'sample_removal',
        resource: 'steps',
        subKind: `kind_${index}`,
        source,
        ts: [startMs],
      }));
    const countOf = async (version: number, count: number) => {
      let statements = 0;
      await withEvents(database.current, (tx, emit) => {
        const sql = new Proxy(tx.sql, {
          apply(target, self, parameters) {
            statements += 1;
            return Reflect.apply(target, self, parameters) as unknown;
          },
        });
        return writeRecords({ ...tx, sql }, emit, {
          owner,
          version: BigInt(version),
          origin: 'live',
          sourceId: 4,
          traceId: null,
          records: removalOf(count),
        });
      });
      return statements;
    };
    await write(owner, 1, removalOf(1000));
    expect(await countOf(2, 1000)).toBe(await countOf(3, 1));
  });
});
