import { findConnector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, type ConformanceHarness, type Linked } from './conformance/harness.ts';

const database = useDatabase();
const [connector, entry] = [findConnector('abbott_libreview'), simulators.find(({ slug }) => slug === 'abbott_libreview')];
if (!connector || !entry) throw new Error('LibreLinkUp is not registered');
let harness: ConformanceHarness;
beforeAll(async () => void (harness = await createConformanceHarness(database.current, connector, entry)), 60_000);
afterAll(() => harness.close());

/** Stored glucose by time, mmol/L. */
async function glucoseOf({ userId }: Linked): Promise<ReadonlyMap<string, number>> {
  const rows = await database.current.sql<{ at: string; value: number }[]>`
    SELECT s.ts::text AS at, s.value::float8 AS value FROM all_samples s JOIN sources o USING (user_source_id) JOIN series k USING (series)
    WHERE o.user_id = ${userId} AND k.resource = 'glucose' ORDER BY s.ts`;
  return new Map(rows.map(({ at, value }) => [at, value]));
}
const loginCalls = () => harness.simulator.requests.filter(({ kind }) => kind === 'login').length;

it('links the person whom the user chose among several, and reads the data of that person only', { timeout: 60_000 }, async () => {
  const account = harness.simulator.addAccount({ name: 'Twice Followed', timeZone: 'Europe/Berlin', historyDays: 3 });
  const userId = await harness.newUser();
  expect(await harness.attempt(userId, account, { mfaCode: '7' })).toMatchObject({ state: 'error', errorType: 'incorrect_mfa_code' });
  const logins = loginCalls();
  const [first, second] = [await harness.link(account, { mfaCode: '1' }), await harness.link(account, { mfaCode: '2' })];
  // A choice needs no second login.
  expect(loginCalls()).toBe(3 * logins);
  await harness.drainAll();
  const [one, other] = [await glucoseOf(first), await glucoseOf(second)];
  expect(one.size).toBeGreaterThan(20);
  expect([...other.keys()]).toEqual([...one.keys()]);
  const shifts = [...one].map(([at, value]) => ((other.get(at) ?? 0) - value) * 18.016);
  for (const shift of shifts) expect(shift).toBeCloseTo(30, 0);
});
