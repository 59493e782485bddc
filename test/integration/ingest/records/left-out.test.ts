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

it('counts each record that was mapped and not stored, by the reason', async () => {
  Object.assign(harness.wristband.connector, { pulls: [weighings] } satisfies Partial<Connector>);
  const counted: unknown[] = [];
  const count = (name: string, labels?: unknown, by?: number) => {
    if (name === 'ingest_records_left_out_total') counted.push([labels, by]);
  };
  const { userId } = await harness.link({ scopes: ['scale'], ingestionStart: '2026-03-15', ingestionEnd: '2026-03-19' });
  await createIngest({ ...harness.options, metrics: { ...noMetrics, count } }).drain();
  expect(await samplesOf(database.current, userId)).toBe(1);
  expect(counted).toContainEqual([{ provider: 'wristband', reason: 'outside_bounds' }, 1]);
  expect(counted).toContainEqual([{ provider: 'wristband', reason: 'not_storable' }, 1]);
});
