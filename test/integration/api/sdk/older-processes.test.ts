import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record, stage, type Phone } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const weight = record('HKQuantityTypeIdentifierBodyMass', '2026-01-05T07:00:00Z', 71, 'kg');
/** Two stages that start together, of which the key of before held one. */
const night = [
  stage('light', '2026-01-04T23:00:00Z', '2026-01-05T03:00:00Z'),
  stage('light', '2026-01-04T23:00:00Z', '2026-01-05T01:00:00Z'),
  stage('deep', '2026-01-05T03:00:00Z', '2026-01-05T06:00:00Z'),
];

async function stateOf({ userId }: Phone) {
  const { sql } = database.current;
  const batches = await sql<{ state: string; error_code: string | null }[]>`
    SELECT state, error_code FROM phone_batches WHERE user_id = ${userId} ORDER BY version`;
  const [counts] = await sql`
    SELECT (SELECT count(*) FROM log_events WHERE user_id = ${userId} AND event_type LIKE '%.data.%')::integer AS events,
      (SELECT count(*) FROM phone_night_segments WHERE user_id = ${userId})::integer AS segments,
      (SELECT count(*) FROM phone_items WHERE user_id = ${userId})::integer AS items`;
  return { batches: batches.map((row) => [row.state, row.error_code]), ...counts };
}

const rename = (from: string, to: string) => database.current.sql.unsafe(`ALTER TABLE ${from} RENAME TO ${to}`);

/** Works as a process does whose statements name a table that is not there, as those of the version before. */
async function workAsBefore(): Promise<void> {
  await rename('phone_night_segments', 'hidden_segments');
  await harness.work();
  await rename('hidden_segments', 'phone_night_segments');
}

/** Works as a process that starts and stops. */
async function workAnew(): Promise<void> {
  const stop = new AbortController();
  const running = harness.newWorker().run(stop.signal);
  await expect
    .poll(() => database.current.sql`SELECT 1 FROM phone_batches WHERE state <> 'done'`.then(({ length }) => length), { timeout: 20_000 })
    .toBe(0);
  stop.abort();
  await running;
}

it('refuses every statement about segments of sleep of the version before', async () => {
  const { sql } = database.current;
  const phone = await harness.newPhone(caller);
  await phone.sync('apple', { sleep: night });
  await harness.work();
  expect(await stateOf(phone)).toMatchObject({ batches: [['done', null]], segments: 3 });
  const of = [phone.userId, 'apple_health_kit'] as const;
  const statements = [
    () => sql`SELECT start_at FROM phone_sleep_segments WHERE user_id = ${of[0]} AND provider = ${of[1]}`,
    () => sql`DELETE FROM phone_sleep_segments WHERE user_id = ${of[0]} AND provider = ${of[1]} AND stage = 'light' AND start_at < now()`,
    () => sql`
      INSERT INTO phone_sleep_segments (user_id, provider, source_type, app_id, start_at, stage, team_id, end_at, item_id)
      VALUES (${of[0]}, ${of[1]}, 'watch', '', now(), 'light', ${caller.team.teamId}, now(), '')
      ON CONFLICT (user_id, provider, source_type, app_id, start_at, stage) DO NOTHING`,
  ];
  for (const statement of statements) await expect(statement()).rejects.toMatchObject({ code: '42P01' });
  expect(await stateOf(phone)).toMatchObject({ segments: 3 });
});

it('loses nothing of a batch that a process of the version before tries first', async () => {
  const phone = await harness.newPhone(caller);
  await phone.sync('apple', { records: [weight], sleep: night });
  const before = await stateOf(phone);
  await workAsBefore();
  expect(await stateOf(phone)).toEqual({ ...before, batches: [['received', '42P01']] });
  await passTime(database.current, harness.clock, 3_600_000);
  await harness.work();
  expect(await stateOf(phone)).toMatchObject({ batches: [['done', null]], segments: 3, items: 1 });
});

it('applies what processes of the version before gave up, when a worker starts', async () => {
  const phone = await harness.newPhone(caller);
  await phone.sync('apple', { records: [weight], sleep: night });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await workAsBefore();
    await passTime(database.current, harness.clock, 3_600_000);
  }
  expect(await stateOf(phone)).toMatchObject({ batches: [['failed', '42P01']], segments: 0, items: 0 });
  await workAnew();
  expect(await stateOf(phone)).toMatchObject({ batches: [['done', null]], segments: 3 });
});
