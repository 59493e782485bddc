import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unpackSamples, type Sample } from '@pulsewire/contract';
import { readFrom, shardOf, withEvents, type LogEvent } from '@pulsewire/eventlog';
import { writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 8 });

/** One response of a provider: its minutes with their values. Responses are listed in order of receipt. */
type ReceivedResponse = readonly (readonly [minute: number, value: number])[];

interface Plan {
  readonly answers: readonly ReceivedResponse[];
  /** The order in which responses are written, and by which writer; some are written more than once. */
  readonly writes: readonly { readonly answer: number; readonly writer: number }[];
}

const baseMs = Date.UTC(2026, 0, 5);
const writers = 4;

const plans: fc.Arbitrary<Plan> = fc
  .array(
    fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 2 })), {
      minLength: 1,
      maxLength: 12,
      selector: ([minute]) => minute,
    }),
    {
      minLength: 1,
      maxLength: 7,
    },
  )
  .chain((responses) =>
    fc
      .tuple(
        fc.shuffledSubarray(
          responses.map((_, index) => index),
          { minLength: responses.length, maxLength: responses.length },
        ),
        fc.array(fc.integer({ min: 0, max: responses.length - 1 }), { maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: writers - 1 }), { minLength: responses.length + 4, maxLength: responses.length + 4 }),
      )
      .map(([order, repeats, who]) => ({
        answers: responses,
        writes: [...order, ...repeats].map((response, index) => ({ answer: response, writer: who[index] ?? 0 })),
      })),
  );

/** The value received last of each minute: the state in which any correct store must end. */
function expectedState(responses: readonly ReceivedResponse[]): Map<number, number> {
  const state = new Map<number, number>();
  for (const response of responses) for (const [minute, value] of response) state.set(baseMs + minute * 60_000, value);
  return state;
}

function toSamples(response: ReceivedResponse): Sample[] {
  return response.map(([minute, value]) => ({
    ts: baseMs + minute * 60_000,
    end: baseMs + (minute + 1) * 60_000,
    value,
    timezoneOffset: 0,
  }));
}

async function run(plan: Plan, isConcurrent: boolean): Promise<{ userId: string; emitted: number }> {
  const owner = { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' };
  let emitted = 0;
  const write = async (index: number) => {
    const outcome = await withEvents(database.current, (tx, emit) =>
      writeRecords(tx, emit, {
        owner,
        version: BigInt(index + 1),
        origin: 'live',
        sourceId: 1,
        traceId: null,
        records: [
          {
            kind: 'samples',
            resource: 'steps',
            source: { provider: 'fitbit', type: 'watch' },
            samples: toSamples(plan.answers[index] ?? []),
          },
        ],
      }),
    );
    emitted += outcome.samplesCreated + outcome.samplesUpdated;
  };
  const lanes = Array.from({ length: isConcurrent ? writers : 1 }, (_, writer) =>
    plan.writes.filter((item) => !isConcurrent || item.writer === writer),
  );
  await Promise.all(
    lanes.map(async (lane) => {
      for (const item of lane) await write(item.answer);
    }),
  );
  return { userId: owner.userId, emitted };
}

async function storedState(userId: string): Promise<Map<number, number>> {
  const rows = await database.current.sql<{ ms: number; value: number }[]>`
    SELECT date_part('epoch', s.ts) * 1000 AS ms, s.value FROM all_samples s JOIN sources o USING (user_source_id) WHERE o.user_id = ${userId} ORDER BY s.ts`;
  return new Map(rows.map((row) => [row.ms, row.value]));
}

async function loggedState(userId: string): Promise<{ state: Map<number, number>; samples: number }> {
  const events = await readFrom(database.current, [{ shard: shardOf(userId), offset: 0, day: '2020-01-01' }], 100_000);
  const state = new Map<number, number>();
  let samples = 0;
  for (const event of events.filter((candidate) => candidate.userId === userId)) {
    for (const sample of samplesOf(event)) {
      // An "updated" event must replace a value, a "created" event must not.
      expect(state.has(sample.ts)).toBe(event.eventType.endsWith('.updated'));
      state.set(sample.ts, sample.value ?? Number.NaN);
      samples += 1;
    }
  }
  return { state, samples };
}

function samplesOf(event: LogEvent): readonly Sample[] {
  return event.body.kind === 'samples' ? unpackSamples(event.body.packed).samples : [];
}

const sorted = (state: Map<number, number>) => [...state].sort(([a], [b]) => a - b);

describe('samples converge', () => {
  for (const isConcurrent of [false, true]) {
    test(`any order and repetition of responses ends as the values received last, as does the log (${isConcurrent ? 'several writers' : 'one writer'})`, async () => {
      await fc.assert(
        fc.asyncProperty(plans, async (plan) => {
          const { userId, emitted } = await run(plan, isConcurrent);
          const expected = sorted(expectedState(plan.answers));
          expect(sorted(await storedState(userId))).toEqual(expected);
          const logged = await loggedState(userId);
          expect(sorted(logged.state)).toEqual(expected);
          expect(logged.samples).toBe(emitted);
        }),
        { numRuns: 200 },
      );
    }, 90_000);
  }
});
