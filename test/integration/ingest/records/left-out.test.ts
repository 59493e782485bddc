import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noMetrics } from '@pulsewire/kernel';
import { createIngest } from '@pulsewire/ingest';
import type { Connector, PullSpec } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, samplesOf, type Harness } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
});
afterEach(() => harness.close());

/** A pull that maps more than may be stored: a day outside of the user's bounds, and a value that is no number. */
const weighings: PullSpec = {
  name: 'scales',
  resources: ['weight'],
  requiredScopes: ['scale'],
  chunkDays: 30,
  backfillDays: 5,
  rereadDays: 1,
  collections: [],
  deletions: { unseen: 'A test.' },
  async *pull({ http }) {
    const { version } = await http.get('/scales/2026-03-19');
    const at = (day: string, value: number) => ({ ts: Date.parse(`${day}T08:00:00Z`), value, timezoneOffset: 0 });
    const samples = [at('2026-03-01', 70), at('2026-03-18', 71), at('2026-03-19', Number.NaN)];
    const source = { provider: 'wristband', type: 'scale' };
    yield { version, records: [{ kind: 'samples', resource: 'weight', source, samples }], quarantined: [] };
  },
};

/** Drains with this pull; returns what was counted as left out. */
async function countedBy(pull: PullSpec, bounds: { readonly ingestionStart?: string; readonly ingestionEnd?: string } = {}) {
  Object.assign(harness.wristband.connector, { pulls: [pull] } satisfies Partial<Connector>);
  const counted: unknown[] = [];
  const count = (name: string, labels?: unknown, by?: number) => {
    if (name === 'ingest_records_left_out_total') counted.push([labels, by]);
  };
  const { userId } = await harness.link({ scopes: ['scale'], ...bounds });
  await createIngest({ ...harness.options, metrics: { ...noMetrics, count } }).drain();
  return { userId, counted };
}

const reasonOf = (reason: string, count: number) => [{ provider: 'wristband', reason }, count];

it('counts each record that was mapped and not stored, by the reason', async () => {
  const { userId, counted } = await countedBy(weighings, { ingestionStart: '2026-03-15', ingestionEnd: '2026-03-19' });
  expect(await samplesOf(database.current, userId)).toBe(1);
  expect(counted).toContainEqual(reasonOf('outside_bounds', 1));
  expect(counted).toContainEqual(reasonOf('not_storable', 1));
});

it('counts what a mapper leaves out on purpose, by its reason', async () => {
  const { counted } = await countedBy({
    ...weighings,
    async *pull(call) {
      const { leftOut } = call.window;
      yield* weighings.pull(call);
      leftOut?.set('outside_window', 3);
      leftOut?.set('other_person', 2);
    },
  });
  expect(counted).toContainEqual(reasonOf('outside_window', 3));
  expect(counted).toContainEqual(reasonOf('other_person', 2));
});

it('counts records that differ from what is stored and were received before it', async () => {
  const day = '2026-03-18';
  const source = { provider: 'wristband', type: 'scale' };
  const weight = (value: number) =>
    ({ kind: 'samples', resource: 'weight', source, samples: [{ ts: Date.parse(`${day}T08:00:00Z`), value, timezoneOffset: 0 }] }) as const;
  const workoutId = randomUUID();
  const workout = (title: string) =>
    ({ kind: 'summary', id: workoutId, resource: 'workouts', source, calendarDate: day, at: Date.parse(day), data: { title } }) as const;
  const { userId, counted } = await countedBy({
    ...weighings,
    async *pull({ http, window }) {
      if (window.endDate < day) return;
      const { version } = await http.get('/scales/2026-03-19');
      yield { version, records: [weight(71), workout('Run')], quarantined: [] };
      yield { version: 0n, records: [weight(70), workout('Walk')], quarantined: [] };
      yield { version: 0n, records: [weight(71), workout('Run')], quarantined: [] };
    },
  });
  // The day is in two windows.
  expect(counted).toEqual([reasonOf('older_version', 2), reasonOf('older_version', 2)]);
  const stored = await database.current.sql<{ title: string }[]>`SELECT data ->> 'title' AS title FROM summaries WHERE user_id = ${userId}`;
  expect(stored).toEqual([{ title: 'Run' }]);
});
