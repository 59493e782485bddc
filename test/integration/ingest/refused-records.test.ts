import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { PushNotice } from '@pulsewire/providers';
import { useDatabase } from '../../support/database.ts';
import { sendPush, startIngest, stepsOf, withPush, wristbandSource } from './support/push-harness.ts';
import { mended, renormaliseWith } from './support/vault-harness.ts';
import { createHarness, eventsOf, samplesOf, today, windowsOf, type Harness } from './support/harness.ts';

/** Postgres refuses this value in samples and this title in events during these tests. */
const refusedValue = 4242;
const refusedTitle = 'refused by the log';

const database = useDatabase();
let harness: Harness;
beforeAll(async () => {
  await database.current.sql.unsafe(`ALTER TABLE samples ADD CONSTRAINT samples_take CHECK (value <> ${refusedValue})`);
  await database.current.sql.unsafe(`ALTER TABLE log_events ADD CONSTRAINT log_takes CHECK (json NOT LIKE '%${refusedTitle}%')`);
});
afterAll(async () => {
  await database.current.sql`ALTER TABLE samples DROP CONSTRAINT samples_take`;
  await database.current.sql`ALTER TABLE log_events DROP CONSTRAINT log_takes`;
});
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE push_inbox, app_subscriptions, raw_answers`;
});
afterEach(() => harness.close());

const setAsideOf = (userId: string) =>
  database.current
    .sql`SELECT resource, reason, pointer, sightings FROM quarantine WHERE user_id = ${userId} ORDER BY resource, reason, pointer`;

/** One of the three step samples of the day before yesterday is refused. */
const spoil = (record: CanonicalRecord): CanonicalRecord => {
  if (record.kind !== 'samples' || record.resource !== 'steps') return record;
  const bad = Date.parse('2026-03-18T01:00:00Z');
  return { ...record, samples: record.samples.map((sample) => (sample.ts === bad ? { ...sample, value: refusedValue } : sample)) };
};

describe('a sample that Postgres rejects', () => {
  test('is quarantined with its SQLSTATE, and the rest of its page and window is stored once', async () => {
    const { connectionId, userId } = await harness.link({ scopes: ['move'] });
    const whole = await harness.link({ scopes: ['move'] });
    await startIngest(harness, mended(harness.wristband.connector, spoil)).drain();
    expect(await samplesOf(database.current, whole.userId)).toBe(await samplesOf(database.current, userId));
    const windows = await windowsOf(database.current, connectionId);
    expect(windows.every(({ state, attempts }) => state === 'done' && attempts <= 1)).toBe(true);
    expect(await setAsideOf(userId)).toEqual([
      expect.objectContaining({ resource: 'steps', reason: 'sqlstate_23514', pointer: '/samples/2026-03-18T01:00:00.000Z', sightings: 1 }),
    ]);
    expect(windows.reduce((sum, { quarantined }) => sum + Number(quarantined), 0)).toBe(1);
    const [steps] = await database.current.sql`
      SELECT count(*)::int AS count FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series)
      WHERE user_id = ${userId} AND resource = 'steps' AND ts::date = '2026-03-18'`;
    expect(steps).toEqual({ count: 2 });
    expect(await eventsOf(database.current, userId, 'historical.data.steps.created')).toHaveLength(1);
    const createdBefore = (await eventsOf(database.current, userId)).length;
    await database.current.sql`UPDATE pull_plans SET next_pull_at = now() - interval '1 day' WHERE connection_id = ${connectionId}`;
    await harness.planDuePulls();
    await startIngest(harness, mended(harness.wristband.connector, spoil)).drain();
    expect(await eventsOf(database.current, userId)).toHaveLength(createdBefore);
  });

  test('does not prevent renormalising the vault', async () => {
    const { userId } = await harness.link({ scopes: ['move'] });
    await harness.ingest.drain();
    const doubled = (record: CanonicalRecord): CanonicalRecord =>
      record.kind === 'samples'
        ? spoil({ ...record, samples: record.samples.map((sample) => ({ ...sample, value: (sample.value ?? 0) * 2 })) })
        : record;
    for (const isDryRun of [true, false]) {
      const tally = await renormaliseWith(database.current, mended(harness.wristband.connector, doubled), { isDryRun });
      expect(tally.quarantined).toBe(1);
      expect(tally.failed.size).toBe(0);
      expect(tally.updated).toBe((await samplesOf(database.current, userId)) - 1);
    }
  });
});

describe('a push with records that Postgres rejects', () => {
  const workout = (title: string, calendarDate = today): CanonicalRecord => ({
    kind: 'summary',
    id: randomUUID(),
    resource: 'workouts',
    source: wristbandSource,
    calendarDate,
    at: Date.parse(`${today}T10:00:00Z`),
    data: { title },
  });

  test('stores the others with their events, and quarantines the rejected ones', async () => {
    const [good, noDay, noEvent] = [workout('Run'), workout('Walk', '2026-02-31'), workout(refusedTitle)];
    const records = [stepsOf(today, 500), stepsOf('2026-03-19', refusedValue), good, noDay, noEvent];
    const connector = withPush(harness, { map: () => ({ records, quarantined: [] }) });
    const ingest = startIngest(harness, connector);
    const { userId, providerUserId } = await harness.link({ scopes: ['scale'] });
    await ingest.drain();
    const before = await samplesOf(database.current, userId);
    const notice: PushNotice = { kind: 'data', providerUserId, collection: 'dailies', payload: {} };
    await sendPush(database.current, harness, connector, [notice]);
    await ingest.drain();
    expect(await samplesOf(database.current, userId)).toBe(before + 1);
    expect(await database.current.sql`SELECT id FROM summaries WHERE user_id = ${userId}`).toEqual([{ id: 'id' in good ? good.id : '' }]);
    expect(await eventsOf(database.current, userId, 'daily.data.steps.created')).toHaveLength(1);
    expect(await eventsOf(database.current, userId, 'daily.data.workouts.created')).toHaveLength(1);
    expect((await setAsideOf(userId)).map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['sqlstate_23514', 'sqlstate_22008', 'sqlstate_23514']),
    );
    const [push] = await database.current.sql`SELECT state, attempts FROM push_inbox`;
    expect(push).toMatchObject({ state: 'done' });
    expect(await database.current.sql`SELECT FROM raw_answers WHERE user_id = ${userId} AND source = 'push'`).toHaveLength(1);
  });

  test('with a notice of invalid days plans the others, and quarantines the invalid one', async () => {
    const connector = withPush(harness, {});
    const ingest = startIngest(harness, connector);
    const { connectionId, userId, providerUserId } = await harness.link();
    await ingest.drain();
    const changed = (day: string): PushNotice => ({
      kind: 'changed',
      providerUserId,
      collection: 'activity',
      window: { startDate: day, endDate: day },
    });
    const stranger: PushNotice = { ...changed(today), providerUserId: 'nobody\u0000' };
    const callsBefore = harness.wristband.calls.length;
    await sendPush(database.current, harness, connector, [changed('2026-02-31'), changed(today), stranger]);
    await ingest.drain();
    expect(harness.wristband.calls.slice(callsBefore).map(({ day }) => day)).toContain(today);
    const [push] = await database.current.sql`SELECT state, unknown_users FROM push_inbox`;
    expect(push).toEqual({ state: 'done', unknown_users: 1 });
    expect(await setAsideOf(userId)).toEqual([expect.objectContaining({ resource: 'activity', reason: 'sqlstate_22008' })]);
    expect((await windowsOf(database.current, connectionId)).every(({ state }) => state === 'done')).toBe(true);
  });
});
