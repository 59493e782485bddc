import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { mergeReadWindows, readCoverage } from '@pulsewire/ingest';
import { eachDay } from '@pulsewire/providers';
import { mergedWindows, type ReadWindow } from '../../../packages/ingest/src/window/merge-windows.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 4 });
const before = new Date('2026-06-01T00:00:00Z');
const [teamId, userId, connectionId] = [randomUUID(), randomUUID(), randomUUID()];

beforeEach(() => database.current.sql`TRUNCATE pull_windows`);

interface Read {
  readonly from: string;
  readonly to: string;
  readonly object?: string;
  readonly quarantined?: number;
  readonly state?: string;
  readonly finishedAt?: string;
  readonly lane?: string;
}

async function insert(reads: readonly Read[]): Promise<void> {
  for (const { from, to, object = '', quarantined = 0, state = 'done', finishedAt = `${to}T12:00:00Z`, lane = 'live' } of reads)
    await database.current.sql`
      INSERT INTO pull_windows (connection_id, team_id, user_id, pull, rank, resources, lane, start_date, end_date, object_id, state, runs, due_at, planned_at,
        finished_at, samples_received, quarantined)
      VALUES (${connectionId}, ${teamId}, ${userId}, 'moves', 0, '{steps}', ${lane}, ${from}, ${to}, ${object}, ${state}, 2, now(), now(), ${finishedAt}, 10, ${quarantined})`;
}

const stored = () =>
  database.current.sql<{ from: string; to: string; runs: number; received: number }[]>`
    SELECT start_date::text AS from, end_date::text AS to, runs, samples_received::int AS received FROM pull_windows ORDER BY start_date, end_date`;

const merge = () => mergeReadWindows(database.current, before, new AbortController().signal);

test('a year of polls of one pull becomes one row, which still explains each of its days', async () => {
  const days = Array.from({ length: 120 }, (_, index) => new Date(Date.UTC(2026, 0, 2 + index)).toISOString().slice(0, 10));
  await insert(days.map((day, index) => ({ from: days[index - 1] ?? '2026-01-01', to: day })));
  expect(await merge()).toBe(119);
  expect(await stored()).toEqual([{ from: '2026-01-01', to: '2026-05-01', runs: 240, received: 1200 }]);
  const [window] = await readCoverage(database.current, { teamId, userId, day: '2026-02-14' });
  expect(window).toMatchObject({ pull: 'moves', state: 'done', samplesReceived: 1200 });
  expect(await merge()).toBe(0);
});

test('windows whose days another one has that stays are not merged, and hold up no others', async () => {
  await insert([
    { from: '2026-01-01', to: '2026-01-02' },
    { from: '2026-01-03', to: '2026-01-04' },
    { from: '2026-01-01', to: '2026-01-04', quarantined: 1 },
    { from: '2026-02-01', to: '2026-02-02' },
    { from: '2026-02-02', to: '2026-02-03' },
  ]);
  expect(await merge()).toBe(1);
  expect((await stored()).map(({ from, to }) => `${from} ${to}`)).toEqual([
    '2026-01-01 2026-01-02',
    '2026-01-01 2026-01-04',
    '2026-01-03 2026-01-04',
    '2026-02-01 2026-02-03',
  ]);
});

test('days that were not read are covered by no merged window', async () => {
  await insert([
    { from: '2026-01-01', to: '2026-01-02' },
    { from: '2026-01-03', to: '2026-01-04' },
    { from: '2026-01-06', to: '2026-01-07' },
  ]);
  await merge();
  expect((await stored()).map(({ from, to }) => `${from} ${to}`)).toEqual(['2026-01-01 2026-01-04', '2026-01-06 2026-01-07']);
});

test('windows that are open, recent, quarantined, given up or part of the history stay', async () => {
  await insert([
    { from: '2026-01-01', to: '2026-01-02', state: 'planned' },
    { from: '2026-01-02', to: '2026-01-03', state: 'given_up' },
    { from: '2026-01-03', to: '2026-01-04', quarantined: 1 },
    { from: '2026-01-04', to: '2026-01-05', finishedAt: '2026-06-02T00:00:00Z' },
    { from: '2026-01-05', to: '2026-01-06', lane: 'backfill' },
    { from: '2026-01-06', to: '2026-01-07', lane: 'backfill' },
  ]);
  expect(await merge()).toBe(0);
  expect(await stored()).toHaveLength(6);
});

test('windows of announced objects are deleted', async () => {
  await insert([
    { from: '2026-01-01', to: '2026-01-01', object: 'a' },
    { from: '2026-01-01', to: '2026-01-01', object: 'b' },
  ]);
  expect(await merge()).toBe(2);
});

test('more windows than one batch holds are merged in one call', async () => {
  await database.current.sql`
    INSERT INTO pull_windows (connection_id, team_id, user_id, pull, rank, resources, lane, start_date, end_date, state, due_at, planned_at, finished_at)
    SELECT ${connectionId}::uuid, ${teamId}::uuid, ${userId}::uuid, 'moves', 0, '{}', 'live', '2000-01-01'::date + n, '2000-01-02'::date + n, 'done', now(), now(), '2026-01-01'
    FROM generate_series(1, 4500) n`;
  await merge();
  expect(await stored()).toHaveLength(1);
});

const date = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;
const readWindows = fc
  .array(
    fc.record({ pull: fc.constantFrom('moves', 'scales'), day: fc.integer({ min: 1, max: 25 }), days: fc.integer({ min: 0, max: 4 }) }),
    {
      maxLength: 12,
    },
  )
  .map((rows) =>
    rows.map(({ pull, day, days }, index): ReadWindow => ({
      windowId: String(index + 1),
      connectionId: 'c',
      pull,
      startDate: date(day),
      endDate: date(day + days),
      isObject: false,
    })),
  );
const daysOf = (rows: readonly Pick<ReadWindow, 'pull' | 'startDate' | 'endDate'>[]) =>
  new Set(rows.flatMap((row) => [...eachDay(row)].map((day) => `${row.pull} ${day}`)));

test('merged windows cover exactly the days that were read, each in one row', () => {
  fc.assert(
    fc.property(readWindows, (rows) => {
      const merged = mergedWindows(rows);
      const gone = new Set(merged.flatMap((one) => one.gone.map(({ windowId }) => windowId)));
      const ranges = new Map(merged.map(({ kept, startDate, endDate }) => [kept.windowId, { ...kept, startDate, endDate }]));
      const left = rows.filter(({ windowId }) => !gone.has(windowId)).map((row) => ranges.get(row.windowId) ?? row);
      expect(daysOf(left)).toEqual(daysOf(rows));
      expect(left.reduce((sum, row) => sum + [...eachDay(row)].length, 0)).toBe(daysOf(left).size);
    }),
  );
});

test('windows of single objects are not merged', () => {
  const object: ReadWindow = { windowId: '1', connectionId: 'c', pull: 'moves', startDate: date(1), endDate: date(1), isObject: true };
  expect(mergedWindows([object, { ...object, windowId: '2' }])).toEqual([]);
});
