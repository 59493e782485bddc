import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import type { Summary } from '@pulsewire/contract';
import { createIngest } from '@pulsewire/ingest';
import type { Connector } from '@pulsewire/providers';
import { scanRawEntries } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import { renormaliseWith } from '../support/vault-harness.ts';
import { cipher, createHarness, eventsOf, type Harness, type Linked } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
let linked: Linked;
let activity: Summary;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE raw_answers`;
  linked = await harness.link();
  activity = {
    kind: 'summary',
    id: randomUUID(),
    resource: 'activity',
    source: { provider: 'wristband', type: 'watch' },
    calendarDate: '2026-03-15',
    at: Date.UTC(2026, 2, 15),
    data: { steps: 5 },
    raw: { externalId: '2026-03-15', data: { moves: 5 } },
  };
});
afterEach(() => harness.close());

/** The wristband, whose pages also hold a summary. */
const withSummary = (connector: Connector): Connector => ({
  ...connector,
  pulls: connector.pulls.map((spec) => ({
    ...spec,
    async *pull(context) {
      for await (const page of spec.pull(context)) yield { ...page, records: [...page.records, activity] };
    },
  })),
});

async function pull(): Promise<Connector> {
  const connector = withSummary(harness.wristband.connector);
  const ingest = createIngest({ ...harness.options, connectorFor: (slug) => (slug === connector.slug ? connector : undefined) });
  await ingest.drain();
  return connector;
}

async function rawOf({ teamId, userId }: Linked): Promise<unknown[]> {
  const query = { teamId, userId, resource: 'activity', window: { by: 'all' } } as const;
  const found: unknown[] = [];
  for await (const page of scanRawEntries(database.current, cipher, query, (read) => read())) found.push(...page.map(({ data }) => data));
  return found;
}

test('a pull stores the raw forms of its summaries for a team with raw data enabled', async () => {
  await updateTeam(database.current, linked.teamId, { providerRawData: true });
  await pull();
  expect(await rawOf(linked)).toEqual([{ moves: 5 }]);
});

test('a team that enables raw data later gets those of responses in the vault, without events', async () => {
  const connector = await pull();
  expect(await rawOf(linked)).toEqual([]);
  const events = (await eventsOf(database.current, linked.userId)).length;
  await updateTeam(database.current, linked.teamId, { providerRawData: true });
  expect(await renormaliseWith(database.current, connector)).toMatchObject({ created: 0, updated: 0, events: 0 });
  expect(await rawOf(linked)).toEqual([{ moves: 5 }]);
  expect(await eventsOf(database.current, linked.userId)).toHaveLength(events);
});
