import { afterEach, beforeEach, expect, test } from 'vitest';
import { hourMs } from '@pulsewire/kernel';
import { useDatabase } from '../../support/database.ts';
import { createHarness, windowsOf, type Harness, type Linked } from './support/harness.ts';

const database = useDatabase({ connectionsMax: 10 });
let harness: Harness;
let links: readonly Linked[];

beforeEach(async () => {
  harness = await createHarness(database.current);
  links = [];
  for (let count = 0; count < 5; count++) links = [...links, await harness.link({ ingestionStart: '2026-03-19' })];
  await harness.ingest.drain();
  harness.clock.advance(3 * hourMs);
});
afterEach(() => harness.close());

const plannedOf = async ({ connectionId }: Linked) =>
  (await windowsOf(database.current, connectionId)).filter(({ lane, state }) => lane === 'live' && state === 'planned').length;

const jobs = () =>
  database.current.sql<{ key: string; is_due: boolean }[]>`
    SELECT singleton_key AS key, start_after <= now() AS is_due FROM pgboss.job WHERE name = 'ingest-tick' AND state = 'created' ORDER BY 1`;

const keys = () => links.map(({ connectionId }) => connectionId).toSorted();

test('two schedulers that plan at once plan each due connection once, and request one run of it', async () => {
  const counts = await Promise.all([harness.planDuePulls(), harness.planDuePulls()]);
  expect(counts[0] + counts[1]).toBe(5);
  for (const linked of links) expect(await plannedOf(linked)).toBe(2);
  expect((await jobs()).map(({ key }) => key)).toEqual(keys());
  expect(await harness.planDuePulls()).toBe(0);
});

test('a connection that another transaction has locked is planned later, and does not hold up the others', async () => {
  const [locked, ...others] = links;
  if (!locked) throw new Error('Nothing is linked');
  await database.current.transaction(async (tx) => {
    await tx.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${locked.connectionId} FOR UPDATE`;
    expect(await harness.planDuePulls()).toBe(4);
  });
  expect(await plannedOf(locked)).toBe(0);
  for (const linked of others) expect(await plannedOf(linked)).toBe(2);
  expect(await harness.planDuePulls()).toBe(1);
  expect(await plannedOf(locked)).toBe(2);
});

test('a run that waits for later is brought forward by a poll', async () => {
  const [first] = links;
  if (!first) throw new Error('Nothing is linked');
  await database.current.transaction((tx) => harness.jobs.wakeLater(tx, first.connectionId, hourMs));
  expect(await jobs()).toEqual([{ key: first.connectionId, is_due: false }]);
  await harness.planDuePulls();
  expect(await jobs()).toEqual(keys().map((key) => ({ key, is_due: true })));
});

test('a connection that may no longer be pulled is stopped, and the others are planned', async () => {
  const [paused] = links;
  await database.current.sql`UPDATE connections SET status = 'paused' WHERE connection_id = ${paused?.connectionId ?? ''}`;
  expect(await harness.planDuePulls()).toBe(5);
  const stopped = await database.current.sql`SELECT connection_id FROM pull_plans WHERE stopped_at IS NOT NULL`;
  expect(stopped).toEqual([{ connection_id: paused?.connectionId }]);
});

test('a pull that is new to a connection gets its history, also when others are planned with it', async () => {
  const [first] = links;
  await database.current.sql`DELETE FROM pull_cursors WHERE connection_id = ${first?.connectionId ?? ''} AND pull = 'scales'`;
  await database.current.sql`DELETE FROM pull_windows WHERE connection_id = ${first?.connectionId ?? ''} AND pull = 'scales'`;
  await harness.planDuePulls();
  const lanes = (await windowsOf(database.current, first?.connectionId ?? ''))
    .filter(({ pull }) => pull === 'scales')
    .map(({ lane }) => lane);
  expect([...new Set(lanes)].toSorted()).toEqual(['backfill', 'live']);
});
