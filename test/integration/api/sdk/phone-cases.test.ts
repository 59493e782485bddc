import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const caseOf = async (name: string) => {
  const text = await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly input: unknown }).input;
};

/** Sends batches as they are, and returns their user and what was left out. */
async function receive(batches: readonly object[]) {
  const { userId, token } = await harness.newPhone(caller);
  for (const body of batches) await harness.bare('POST', `/api/v1/sdk/users/${userId}/sync`, body, { authorization: `Bearer ${token}` });
  await harness.work();
  const [row] = await database.current.sql<{ left_out: object }[]>`SELECT left_out FROM phone_batches WHERE user_id = ${userId}`;
  return { userId, leftOut: row?.left_out };
}
const energyOf = async (userId: string) => {
  const path = `/v2/timeseries/${userId}/calories_active/grouped?start_date=2026-11-01&end_date=2026-11-30`;
  const groups = (await caller.call('GET', path)).body.groups as Record<string, { data: { value: number }[] }[]>;
  return Object.values(groups).flatMap((own) => own.flatMap(({ data }) => data.map(({ value }) => value)));
};

it('keeps the energy of Samsung from the version of the SDK on that reads it right', async () => {
  const input = (await caseOf('samsung-energy')) as { new: object[]; old: object[] };
  const [recent, old] = [await receive(input.new), await receive(input.old)];
  expect([await energyOf(recent.userId), recent.leftOut]).toEqual([[41.5], {}]);
  expect([await energyOf(old.userId), old.leftOut]).toEqual([[], { other_measure: 1 }]);
});

it.each([
  ['0.13.1', [41.5]],
  ['0.14.0-ow.2', [41.5]],
  ['1.0', [41.5]],
  ['0.13.0', []],
  ['0.9.12', []],
  [null, []],
  ['newest', []],
])('reads the energy of Samsung with SDK version %s as %j', async (sdkVersion, expected) => {
  const input = (await caseOf('samsung-energy')) as { new: object[] };
  const { userId } = await receive(input.new.map((batch) => ({ ...batch, sdkVersion })));
  expect(await energyOf(userId)).toEqual(expected);
});

it('keeps the figures of rides of newer iPhones, and counts those that have no field', async () => {
  const { userId, leftOut } = await receive((await caseOf('ios-cycling-values')) as object[]);
  const { workouts } = (await caller.call('GET', `/v2/summary/workouts/${userId}?start_date=2026-11-01`)).body;
  expect(workouts).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ average_watts: 187.5, average_speed: 7.11, average_hr: 142 })]),
  );
  expect(leftOut).toEqual({
    'no_field (averageCyclingCadence)': 1,
    'no_field (laps)': 1,
    'no_field (swimmingStrokeCount)': 1,
  });
});

it('leaves out the distance that iPhones state of a workout of several sports, which is that of one', async () => {
  const [batch] = (await caseOf('ios-cycling-values')) as [{ data: { workouts: [object] } }];
  const workouts = batch.data.workouts.slice(0, 1).map((own) => ({ ...own, type: 'swim_bike_run' }));
  const { userId, leftOut } = await receive([{ ...batch, data: { ...batch.data, workouts } }]);
  const read = (await caller.call('GET', `/v2/summary/workouts/${userId}?start_date=2026-11-01`)).body.workouts;
  expect(read).toMatchObject([{ sport: { slug: 'multisport' }, distance: null }]);
  expect(leftOut).toMatchObject({ other_measure: 1 });
});
