import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unpackSamples, type CanonicalRecord, type Sample } from '@pulsewire/contract';
import { readFrom, shardOf, withEvents } from '@pulsewire/eventlog';
import { packSamples, readGroupedSamples, writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 8 });

/** Times around midnight, so that they belong to two days: whole minutes, whole seconds, and milliseconds. */
const midnightMs = Date.UTC(2026, 0, 6);
const keysMax = 14;
const timeOf = (key: number) => midnightMs + (key - keysMax / 2) * 60_000 + (key % 4 === 2 ? 1000 : key % 4 === 3 ? 37 : 0);

/** What a sample may hold beside its time; each is a different form in a piece. */
const kinds: readonly ((ts: number) => Omit<Sample, 'ts'> & { readonly appId?: string })[] = [
  () => ({ value: 0, timezoneOffset: 0 }),
  (ts) => ({ value: 71, timezoneOffset: 3600, end: ts + 60_000 }),
  () => ({ value: 255.25, timezoneOffset: null }),
  (ts) => ({ value: 70_000.5, timezoneOffset: 3600, end: ts + 1 }),
  () => ({ value: 0.1 + 0.2, timezoneOffset: 0 }),
  () => ({ value: Number.MAX_VALUE, timezoneOffset: 0 }),
  () => ({ value: -12_000, timezoneOffset: 0, value2: 80 }),
  () => ({ value: null, timezoneOffset: -3600, extra: { text: 'a, "b" {ü}', tags: ['food'] } }),
  () => ({ value: 4, timezoneOffset: 0, extra: { type: 'rest' } }),
  () => ({ value: 71, timezoneOffset: 3600, appId: 'com.example.app' }),
  (ts) => ({ value: 71, timezoneOffset: 3600, end: ts + 40 * 86_400_000 }),
];

/** Content of one response by key: the number of a kind, or null for a removal. */
type ReceivedResponse = readonly (readonly [key: number, kind: number | null])[];

interface Plan {
  /** In order of receipt. */
  readonly answers: readonly ReceivedResponse[];
  /** The order in which they are written, some more than once; null: the job that packs samples runs. */
  readonly steps: readonly (number | null)[];
  readonly samplesPerDay: number;
}

const response: fc.Arbitrary<ReceivedResponse> = fc.uniqueArray(
  fc.tuple(fc.nat({ max: keysMax - 1 }), fc.option(fc.nat({ max: kinds.length - 1 }), { nil: null, freq: 5 })),
  { minLength: 1, maxLength: keysMax, selector: ([key]) => key },
);

const plans: fc.Arbitrary<Plan> = fc.array(response, { minLength: 1, maxLength: 7 }).chain((answers) => {
  const indices = answers.map((_, index) => index);
  return fc.record({
    answers: fc.constant(answers),
    steps: fc
      .tuple(
        fc.shuffledSubarray(indices, { minLength: answers.length, maxLength: answers.length }),
        fc.array(fc.constantFrom(...indices), { maxLength: 4 }),
        fc.array(fc.nat({ max: answers.length + 4 }), { minLength: 1, maxLength: 5 }),
      )
      .map(([order, repeats, packs]) => {
        const steps: (number | null)[] = [...order, ...repeats];
        for (const place of packs) steps.splice(place, 0, null);
        return steps;
      }),
    samplesPerDay: fc.constantFrom(1, 2, 4),
  });
});

type Stored = Readonly<Record<string, unknown>>;

const storedForm = (ts: number, kind: number): Stored => {
  const {
    value,
    value2 = null,
    end = null,
    timezoneOffset,
    extra = null,
    appId = null,
  } = kinds[kind]?.(ts) ?? { value: null, timezoneOffset: null };
  return { ts, value, value2, end, timezoneOffset, extra, appId };
};

/** Of all writes and removals of a sample the one received last. */
function expectedState(answers: readonly ReceivedResponse[]): Stored[] {
  const state = new Map<number, number | null>();
  for (const answer of answers) for (const [key, kind] of answer) state.set(key, kind);
  return [...state]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([key, kind]) => (kind === null ? [] : [storedForm(timeOf(key), kind)]))
    .toSorted((a, b) => Number(a['ts']) - Number(b['ts']));
}

function recordsOf(answer: ReceivedResponse): CanonicalRecord[] {
  const source = { provider: 'fitbit', type: 'watch' };
  const groups = answer.flatMap(([key, kind]): CanonicalRecord[] => {
    if (kind === null) return [];
    const { appId, ...sample } = kinds[kind]?.(timeOf(key)) ?? { value: null, timezoneOffset: null };
    const samples = [{ ts: timeOf(key), ...sample }];
    return [{ kind: 'samples', resource: 'note', source: appId === undefined ? source : { ...source, appId }, samples }];
  });
  const ts = answer.flatMap(([key, kind]) => (kind === null ? [timeOf(key)] : []));
  return ts.length > 0 ? [...groups, { kind: 'sample_removal', resource: 'note', source, ts }] : groups;
}

const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });

async function write(owner: RecordOwner, version: number, records: readonly CanonicalRecord[]) {
  return withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version: BigInt(version), origin: 'live', sourceId: 3, traceId: null, records }),
  );
}

const pack = (samplesPerDay = 1) => packSamples(database.current, { before: '2027-01-01', samplesPerDay }, new AbortController().signal);

async function storedState(userId: string): Promise<Stored[]> {
  const rows = await database.current.sql<{ extra: string | null }[]>`
    SELECT round(date_part('epoch', s.ts) * 1000)::float8 AS ts, s.value, s.value2, round(date_part('epoch', s.end_ts) * 1000)::float8 AS end,
      s.tz_offset AS "timezoneOffset", s.extra, c.app_id AS "appId"
    FROM all_samples s JOIN sources o USING (user_source_id) LEFT JOIN source_contexts c USING (context_id) WHERE o.user_id = ${userId} ORDER BY s.ts`;
  return rows.map((row) => ({ ...row }));
}

/** The seconds of samples by the log: created ones did not exist, updated ones did, and removed ones are gone. */
async function loggedSeconds(userId: string): Promise<Set<number>> {
  const times = new Set<number>();
  for (const event of await readFrom(database.current, [{ shard: shardOf(userId), offset: 0, day: '2020-01-01' }], 100_000)) {
    if (event.userId !== userId) continue;
    if (event.body.kind === 'samples') {
      for (const { ts } of unpackSamples(event.body.packed).samples) {
        const second = Math.floor(ts / 1000);
        expect(times.has(second)).toBe(event.eventType.endsWith('.updated'));
        times.add(second);
      }
    } else {
      const { timestamps = [] } = JSON.parse(event.body.json) as { timestamps?: readonly string[] };
      for (const at of timestamps) expect(times.delete(Math.floor(Date.parse(at) / 1000))).toBe(true);
    }
  }
  return times;
}

test('any interleaving of writes, corrections, removals and packing reads as the values received last', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ answers, steps, samplesPerDay }) => {
      const owner = newOwner();
      for (const step of steps) {
        if (step === null) await pack(samplesPerDay);
        else await write(owner, step + 1, recordsOf(answers[step] ?? []));
      }
      const expected = expectedState(answers);
      expect(await storedState(owner.userId)).toEqual(expected);
      const seconds = expected.map(({ ts }) => Math.floor(Number(ts) / 1000));
      expect([...(await loggedSeconds(owner.userId))].toSorted((a, b) => a - b)).toEqual(seconds);
      const { teamId, userId } = owner;
      const query = { teamId, userId, resource: 'note', fromMs: 0, toMs: Date.UTC(2030), limit: 3 };
      let read = 0;
      for (let cursor: string | null | undefined = null; cursor !== undefined;) {
        const page = await readGroupedSamples(database.current, { ...query, cursor });
        read += Object.values(page.groups)
          .flat()
          .reduce((sum, { data }) => sum + data.length, 0);
        cursor = page.nextCursor ?? undefined;
      }
      expect(read).toBe(expected.length);
    }),
    { numRuns: 150 },
  );
}, 240_000);
