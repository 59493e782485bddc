import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record } from './phone-harness.ts';

// One connection, so that the counts that it has not passed on yet are all there are.
const database = useDatabase({ connectionsMax: 1 });
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

async function readingsRead(): Promise<number> {
  await database.current.sql`SELECT pg_stat_force_next_flush()`;
  const [row] = await database.current.sql<{ read: number }[]>`
    SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables WHERE relname = 'phone_readings'`;
  return row?.read ?? 0;
}

it('reads the stored readings of the days that a batch touches, and none of the years between', async () => {
  const phone = await harness.newPhone(caller);
  const resting = (at: string, value: number) => record('HKQuantityTypeIdentifierRestingHeartRate', at, value, 'bpm', { zoneOffset: 'Z' });
  await phone.sync('apple', { records: [resting('2016-01-04T08:00:00Z', 61)] });
  await harness.work();
  await database.current.sql`
    INSERT INTO phone_readings (user_id, provider, source_type, kind, at, slot, team_id, value, tz_offset, app_id, item_id)
    SELECT user_id, provider, source_type, kind, at + n * interval '1 day', slot, team_id, value, tz_offset, app_id, ''
    FROM phone_readings, generate_series(1, 3600) AS n`;
  const before = await readingsRead();
  await phone.sync('apple', { records: [resting('2016-01-04T09:00:00Z', 60), resting('2025-12-04T09:00:00Z', 59)] });
  await harness.work();
  expect((await readingsRead()) - before).toBeLessThan(100);
  const { body } = await caller.call('GET', `/v2/summary/activity/${phone.userId}?start_date=2016-01-01&end_date=2025-12-31`);
  expect(body.activity.map((own: { readonly heart_rate: object }) => own.heart_rate)).toMatchObject([
    { resting_bpm: 60 },
    { resting_bpm: 59 },
  ]);
});
