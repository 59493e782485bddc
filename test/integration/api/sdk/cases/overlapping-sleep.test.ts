import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { importExport } from '@pulsewire/intake';
import { useDatabase } from '../../../../support/database.ts';
import type { Caller } from '../../support/harness.ts';
import { zipOf } from '../exports/zip.ts';
import { createPhoneHarness } from '../phone-harness.ts';
import { oneByOne, readCase, sendBatches, summariesOf, type CaseBatch } from './read-case.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

type Night = Readonly<Record<string, unknown>>;

/** No stage of a cycle may begin before the one before it has ended. */
function expectApart(cycle: Night | undefined) {
  const [starts, ends] = ['stage_start_offset_second', 'stage_end_offset_second'].map((key) => (cycle?.[key] ?? []) as readonly number[]);
  for (const [index, start] of (starts ?? []).entries()) expect(start).toBeGreaterThanOrEqual(ends?.[index - 1] ?? 0);
}

async function nightsOf(batches: readonly CaseBatch[]): Promise<readonly Night[]> {
  const phone = await harness.newPhone(caller);
  await sendBatches(phone, batches);
  await harness.work();
  for (const cycle of await summariesOf(caller, phone.userId, 'sleep_cycle')) expectApart(cycle);
  return summariesOf(caller, phone.userId, 'sleep');
}

const cases = [
  ['sleep with an awake span inside', 'sleep-nested-awake'],
  ['light sleep with deep and REM inside', 'sleep-core-over-detail'],
  ['a night that was written again with an earlier start', 'sleep-rewritten-earlier'],
  ['a session inside another one', 'sleep-contained-session'],
  ['an awake span with the start of the sleep', 'sleep-same-start-awake'],
  ['sessions with stages that grow from one start', 'sleep-one-start-staged'],
  ['a session with stages and one without', 'sleep-staged-then-plain'],
] as const;

it.each(cases)('counts %s once, in any order and any batches', async (_what, name) => {
  const { input, right } = await readCase<Night>(name);
  const { nights: _count, ...fields } = right;
  const apart = oneByOne(input);
  for (const batches of [input, apart, apart.toReversed()]) expect(await nightsOf(batches)).toMatchObject([fields]);
});

it('takes the longest of sessions with one start, whatever the order of arrival', async () => {
  const { input, right } = await readCase<{ each: Night }, Record<string, readonly CaseBatch[]>>('sleep-one-start-many-ends');
  const { nights: _count, ...fields } = right.each;
  for (const batches of Object.values(input)) expect(await nightsOf(batches)).toMatchObject([fields]);
});

it('counts an awake span inside the sleep of an Apple Health export once', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'overlapping-sleep-'));
  const file = path.join(folder, 'export.zip');
  const xml = await readFile(new URL('sleep-nested-awake.xml', import.meta.url), 'utf8');
  await writeFile(file, zipOf({ 'apple_health_export/export.xml': xml }));
  const { userId } = await harness.newPhone(caller);
  await caller.call('POST', '/v2/link/provider/manual/apple_health_kit', { user_id: userId, provider_id: userId });
  const context = { database: database.current, clock: harness.clock };
  await importExport(context, { teamId: caller.team.teamId, userId }, file, () => {});
  expect(await summariesOf(caller, userId, 'sleep')).toMatchObject([{ duration: 28_800, total: 28_200, awake: 600 }]);
  await rm(folder, { recursive: true });
});

const item = (id: string, stage: string, startMs: number, endMs: number, appId: string, parentId: string | null = null) => ({
  id,
  parentId,
  stage,
  startDate: new Date(startMs).toISOString(),
  endDate: new Date(endMs).toISOString(),
  zoneOffset: '+01:00',
  source: { appId, deviceId: null, deviceModel: 'B1', deviceType: 'watch', recordingMethod: 'automatic' },
  values: null,
  metadata: null,
});
const evening = Date.UTC(2026, 10, 19, 22);
const minute = (minutes: number) => evening + minutes * 60_000;

it('keeps the nights of two apps apart', async () => {
  const [own, other] = ['com.example.a', 'com.example.b'];
  const sleep = [
    item('1', 'light', minute(0), minute(300), own),
    item('2', 'awake', minute(60), minute(70), other),
    item('3', 'deep', minute(70), minute(80), other),
  ];
  const nights = await nightsOf([{ provider: 'google', data: { records: [], sleep, workouts: [] } }]);
  expect(nights.toSorted((a, b) => Number(a['duration']) - Number(b['duration']))).toMatchObject([
    { light: 0, deep: 600, awake: 600 },
    { light: 18_000, deep: 0, awake: 0 },
  ]);
});

describe('random segments', () => {
  const stages = ['light', 'deep', 'rem', 'awake', 'sleeping', 'in_bed'];
  const segment = fc.record({
    stage: fc.constantFrom(...stages),
    start: fc.integer({ min: 0, max: 400 }),
    length: fc.integer({ min: 1, max: 240 }),
    session: fc.constantFrom(null, 'S1', 'S2'),
  });
  const split = fc.array(segment, { minLength: 1, maxLength: 12 }).chain((segments) => {
    const items = segments.map(({ stage, start, length, session }, index) =>
      item(`${session}-s${index}`, stage, minute(start), minute(start + length), 'com.example.app', session),
    );
    return fc.tuple(
      fc.constant(items),
      fc.shuffledSubarray(items, { minLength: items.length }),
      fc.array(fc.integer({ min: 0, max: items.length }), { maxLength: 4 }),
    );
  });

  it('become nights that do not depend on order and batches, and that count each minute once', async () => {
    await fc.assert(
      fc.asyncProperty(split, async ([items, shuffled, cuts]) => {
        const batchOf = (sleep: readonly ReturnType<typeof item>[]) => ({ provider: 'google', data: { records: [], sleep, workouts: [] } });
        const bounds = [0, ...cuts.toSorted((a, b) => a - b), shuffled.length];
        const batches = bounds.slice(1).map((end, index) => batchOf(shuffled.slice(bounds[index], end)));
        const [whole, inParts] = [await nightsOf([batchOf(items)]), await nightsOf(batches)];
        const facts = (nights: readonly Night[]) =>
          nights.map((night) =>
            ['bedtime_start', 'bedtime_stop', 'total', 'light', 'deep', 'rem', 'awake', 'duration'].map((key) => night[key]),
          );
        expect(facts(inParts)).toEqual(facts(whole));
        const minutes = new Set(
          items.flatMap(({ stage, startDate, endDate }) => {
            const [from, to] = [Date.parse(startDate) / 60_000, Date.parse(endDate) / 60_000];
            return stage === 'in_bed' ? [] : Array.from({ length: to - from }, (_unused, index) => from + index);
          }),
        );
        const counted = whole.reduce((sum, night) => sum + (night['total'] as number) + (night['awake'] as number), 0);
        expect(counted).toBe(minutes.size * 60);
        for (const night of whole) expect(night['efficiency']).toBeLessThanOrEqual(100);
      }),
      { numRuns: 15 },
    );
  });
});
