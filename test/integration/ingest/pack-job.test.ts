import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from './support/harness.ts';
import { composeScheduler } from './support/scheduler-harness.ts';

const database = useDatabase({ connectionsMax: 20 });
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness(database.current);
});
afterAll(() => harness.close());

/** Runs the job once in a scheduler with these settings, and returns how many samples are rows and pieces have. */
async function runJob(settings: { readonly packAfterDays?: number }) {
  const scheduler = await composeScheduler(database.url, harness, settings);
  try {
    expect(await scheduler.runJob('pack_samples')).toBe(true);
  } finally {
    await scheduler.close();
  }
  const [row] = await database.current.sql<{ all: number; packed: number }[]>`
    SELECT (SELECT count(*)::int FROM all_samples) AS all, (SELECT coalesce(sum(count), 0)::int FROM sample_pieces) AS packed`;
  return row;
}

test('the job packs days that are older than the setting, and without it none', async () => {
  const owner = { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' };
  const today = Date.parse(harness.clock.now().toISOString().slice(0, 10));
  const ofDay = (daysAgo: number) =>
    Array.from({ length: 100 }, (_, index) => ({ ts: today - daysAgo * 86_400_000 + index * 60_000, value: index, timezoneOffset: 0 }));
  const records = [
    {
      kind: 'samples' as const,
      resource: 'heartrate',
      source: { provider: 'fitbit', type: 'watch' },
      samples: [...ofDay(5), ...ofDay(3), ...ofDay(2)],
    },
  ];
  const version = await drawVersion(database.current);
  await withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records }),
  );
  expect(await runJob({})).toEqual({ all: 300, packed: 0 });
  expect(await runJob({ packAfterDays: 3 })).toEqual({ all: 300, packed: 100 });
  expect(await runJob({ packAfterDays: 2 })).toEqual({ all: 300, packed: 200 });
});
