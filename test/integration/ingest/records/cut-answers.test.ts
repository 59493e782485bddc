import { afterEach, beforeEach, expect, it } from 'vitest';
import { createIngest } from '@pulsewire/ingest';
import type { Connector, PullSpec } from '@pulsewire/providers';
import { drawVersion } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, samplesOf, type Harness } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
  // Versions of a new database begin with the one that a connection counts as read before it.
  await drawVersion(database.current);
});
afterEach(() => harness.close());

const dayMs = 86_400_000;
const pageSize = 3;

/** A pull that takes every answer as complete for its window, as a connector might that does not know of pages. */
function weighings(more: Partial<PullSpec>): PullSpec {
  return {
    name: 'scales',
    resources: ['weight'],
    requiredScopes: ['scale'],
    chunkDays: 30,
    backfillDays: 5,
    rereadDays: 5,
    collections: [],
    deletions: 'by_absence',
    async *pull({ http, window }) {
      const { body, version } = await http.get('/weighings', { limit: String(pageSize) });
      const samples = (body as { items: readonly number[] }).items.map((ts) => ({ ts, value: 70, timezoneOffset: 0 }));
      const source = { provider: 'wristband', type: 'scale' };
      const [fromMs, toMs] = [Date.parse(window.startDate), Date.parse(window.endDate) + dayMs];
      yield {
        version,
        records: [{ kind: 'samples', resource: 'weight', source, samples }],
        quarantined: [],
        allOf: [{ kind: 'samples', resource: 'weight', sourceTypes: ['scale'], fromMs, toMs }],
      };
    },
    ...more,
  };
}

/** Links a user with these weighings, and reads again when the provider answers with the others. */
async function readTwice(first: readonly number[], second: readonly number[], more: Partial<PullSpec> = {}): Promise<number> {
  const { connector } = harness.wristband;
  Object.assign(connector, { pulls: [weighings(more)] } satisfies Partial<Connector>);
  let items = first;
  const options: typeof harness.options = {
    ...harness.options,
    sendFor: () => async () => {
      const body = { items };
      return { status: 200, headers: {}, body, bytes: Buffer.from(JSON.stringify(body)), version: await drawVersion(database.current) };
    },
  };
  const { userId } = await harness.link({ scopes: ['scale'] });
  await createIngest(options).drain();
  expect(await samplesOf(database.current, userId)).toBe(first.length);
  items = second;
  harness.clock.advance(dayMs);
  await harness.planDuePulls();
  await createIngest(options).drain();
  return samplesOf(database.current, userId);
}

const at = (...hours: readonly number[]) => hours.map((hour) => Date.parse('2026-03-19T00:00:00Z') + hour * 3_600_000);

it('removes what is missing from an answer that is shorter than its page', async () => {
  expect(await readTwice(at(1, 2), at(2))).toBe(1);
});

it('removes nothing because of an answer as long as its page', async () => {
  expect(await readTwice(at(1, 2), at(2, 3, 4))).toBe(4);
});

it('trusts a full page of a list that goes on beyond the window', async () => {
  expect(await readTwice(at(1, 2), at(2, 3, 4), { listsBeyondWindow: true })).toBe(3);
});
