import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildPastSummaries } from '@pulsewire/intake';
import { runAdmin } from '../../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../../support/database.ts';
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

const HK = 'HKQuantityTypeIdentifier';
const zone = { metadata: { HKTimeZone: 'Europe/Berlin' } };
const names = ['activity', 'body', 'meal'] as const;
const everyone = { teamId: null, userId: null, afterUserId: null };
const silent = () => undefined;

async function read(userId: string) {
  const replies = await Promise.all(
    names.map((name) => caller.call('GET', `/v2/summary/${name}/${userId}?start_date=2024-01-01&end_date=2026-12-31`)),
  );
  // Built again they were created later.
  const withoutTimes = ({ created_at: _, updated_at: __, ...summary }: Record<string, unknown>) => summary;
  return replies.map(({ body }, index) =>
    (body[index === 2 ? 'meals' : (names[index] as string)] as Record<string, unknown>[]).map(withoutTimes),
  );
}

/** A phone whose samples were stored by a version that built nothing. */
async function formerPhone(): Promise<{ readonly phone: Phone; readonly before: Awaited<ReturnType<typeof read>> }> {
  const phone = await harness.newPhone(caller);
  const at = (date: string, type: string, value: number, unit: string) => record(`${HK}${type}`, `${date}T08:00:00Z`, value, unit, zone);
  const scale = { source: { appId: 'scale', deviceType: 'scale' } };
  await phone.sync('apple', {
    records: [
      ...['2024-02-28', '2024-02-29', '2025-06-01', '2026-01-04'].flatMap((date, index) => [
        at(date, 'StepCount', 100 + index, 'count'),
        at(date, 'HeartRate', 60 + index, 'bpm'),
        { ...at(date, 'BodyMass', 70 + index, 'kg'), ...scale },
        { ...at(date, 'BodyFatPercentage', 0.2, '%'), ...scale },
      ]),
      // No day of movement.
      at('2025-07-01', 'HeartRate', 130, 'bpm'),
      at('2025-06-01', 'DietaryCarbohydrates', 40, 'g'),
    ],
  });
  await harness.work();
  const before = await read(phone.userId);
  await database.current.sql`DELETE FROM summaries WHERE user_id = ${phone.userId}`;
  await database.current.sql`DELETE FROM phone_readings WHERE user_id = ${phone.userId}`;
  return { phone, before };
}

async function eventsOf(userId: string) {
  const rows = await database.current.sql<{ event_type: string }[]>`SELECT event_type FROM log_events WHERE user_id = ${userId}`;
  return rows.length;
}

it('builds what is missing from stored samples, and nothing when it is run again', async () => {
  const { phone, before } = await formerPhone();
  const query = { ...everyone, userId: phone.userId };
  expect(await buildPastSummaries(database.current, query, silent)).toMatchObject({
    phones: 1,
    activities: 4,
    bodies: 4,
    meals: 1,
    failed: 0,
  });
  expect(await read(phone.userId)).toEqual(before);
  expect(before.map((own) => own.length)).toEqual([4, 4, 1]);
  const events = await eventsOf(phone.userId);
  expect(await buildPastSummaries(database.current, query, silent)).toMatchObject({ phones: 1, activities: 0, bodies: 0, meals: 0 });
  expect(await eventsOf(phone.userId)).toBe(events);
});

it('continues where it was stopped, even within a user, and after a given one', async () => {
  const phones = [await formerPhone(), await formerPhone(), await formerPhone()].toSorted((a, b) =>
    a.phone.userId < b.phone.userId ? -1 : 1,
  );
  const [first, second, third] = phones;
  const ids = phones.map(({ phone }) => phone.userId);
  const stop = new Error('stopped');
  let count = 0;
  const query = { ...everyone, teamId: caller.team.teamId };
  const stopped = buildPastSummaries(database.current, query, ({ lastUserId }) => {
    if (ids.includes(lastUserId ?? '') && (count += 1) === 1) throw stop;
  });
  await expect(stopped).rejects.toBe(stop);
  expect(await read(first?.phone.userId ?? '')).toEqual(first?.before);
  expect((await read(second?.phone.userId ?? ''))[0]).toEqual([]);
  // A part of the second user is there.
  const [kept] = second?.before[0] ?? [];
  await second?.phone.sync('apple', { records: [record(`${HK}StepCount`, '2026-01-04T08:00:00Z', 103, 'count', zone)] });
  await harness.work();
  expect((await read(second?.phone.userId ?? ''))[0]).toHaveLength(1);
  expect(kept).toBeDefined();
  const lines: string[] = [];
  const context = { database: database.current, clock: harness.clock, print: (line: string) => void lines.push(line) } as never;
  expect(await runAdmin(['phones', 'build-summaries', '--from', ids[0] ?? '', '--team', caller.team.teamId], context)).toBe(0);
  expect(lines.at(-1)).toMatch(/^Built: \d+ phones: 7 activity, 8 body, 2 meal, 0 of sleep; last user [-0-9a-f]+$/);
  expect(await read(second?.phone.userId ?? '')).toEqual(second?.before);
  expect(await read(third?.phone.userId ?? '')).toEqual(third?.before);
});

it('leaves summaries that a team’s app has sent, and connections that are paused, alone', async () => {
  const { phone } = await formerPhone();
  const activity = [{ calendar_date: '2026-01-04', steps: 9000 }];
  await caller.call('POST', `/v2/user/${phone.userId}/data/apple_health_kit`, { source: { type: 'watch' }, summaries: { activity } });
  await buildPastSummaries(database.current, { ...everyone, userId: phone.userId }, silent);
  expect((await read(phone.userId))[0]?.map((own) => own['steps'])).toEqual([100, 101, 102, 9000]);
  const paused = await formerPhone();
  await database.current.sql`UPDATE connections SET status = 'paused' WHERE user_id = ${paused.phone.userId}`;
  expect(await buildPastSummaries(database.current, { ...everyone, userId: paused.phone.userId }, silent)).toMatchObject({ phones: 0 });
});

it('builds nights again that a former version has read in another way, and leaves the others alone', async () => {
  const phone = await harness.newPhone(caller);
  const nights = ['2025-03-04', '2026-01-04', '2026-01-05'].map((day) => [
    stage('light', `${day}T00:00:00Z`, `${day}T08:00:00Z`),
    stage('deep', `${day}T02:00:00Z`, `${day}T03:00:00Z`),
  ]);
  await phone.sync('apple', { sleep: nights.flat() });
  await harness.work();
  const readSleep = async () =>
    (await caller.call('GET', `/v2/summary/sleep/${phone.userId}?start_date=2025-01-01&end_date=2026-12-31`)).body.sleep as Record<
      string,
      unknown
    >[];
  await database.current.sql`
    UPDATE summaries SET data = data || '{"total": 7200}' WHERE user_id = ${phone.userId} AND resource = 'sleep' AND calendar_date < '2026-01-05'`;
  expect((await readSleep()).map(({ total }) => total)).toEqual([7200, 7200, 28_800]);
  const [query, events] = [{ ...everyone, userId: phone.userId }, await eventsOf(phone.userId)];
  expect(await buildPastSummaries(database.current, query, silent)).toMatchObject({ nights: 2 });
  expect((await readSleep()).map(({ total }) => total)).toEqual([28_800, 28_800, 28_800]);
  expect(await eventsOf(phone.userId)).toBe(events + 2);
  expect(await buildPastSummaries(database.current, query, silent)).toMatchObject({ nights: 0 });
});
