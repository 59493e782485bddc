import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { unpackStream, type CanonicalRecord, type WorkoutStream } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { readSummaries, readWorkoutStream, writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const source = { provider: 'strava', type: 'app' };
const at = Date.UTC(2026, 0, 5);

const write = (owner: RecordOwner, version: number, ...records: CanonicalRecord[]) =>
  withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version: BigInt(version), origin: 'live', sourceId: 4, traceId: null, records }),
  );
const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });
const workout = (id: string, title = 'Run'): CanonicalRecord => ({
  kind: 'summary',
  id,
  resource: 'workouts',
  source,
  calendarDate: '2026-01-05',
  at,
  data: { title },
});
const removal = (id: string): CanonicalRecord => ({ kind: 'summary_removal', resource: 'workouts', id });
const stream = (workoutId: string, heartrate: number): WorkoutStream => ({
  kind: 'stream',
  resource: 'workout_stream',
  workoutId,
  providerId: '99',
  sport: { id: 1, name: 'Running', slug: 'running' },
  source,
  data: { time: [1, 2], heartrate: [heartrate, null] },
});
const titles = async (owner: RecordOwner) =>
  (await readSummaries(database.current, { ...owner, resource: 'workouts', window: { by: 'all' } })).map((row) => row['title']);
const heartrates = async (owner: RecordOwner, workoutId: string) => {
  const found = await readWorkoutStream(database.current, { ...owner, workoutId });
  return found?.packed && unpackStream(found.packed).heartrate;
};
const eventTypes = async ({ userId }: RecordOwner) =>
  (
    await database.current.sql<
      { event_type: string; json: string }[]
    >`SELECT event_type, json FROM log_events WHERE user_id = ${userId} ORDER BY "offset"`
  ).map((row) => row.event_type);

describe('a summary that the provider deleted', () => {
  test('is removed, and a response from before the removal does not restore it', async () => {
    const owner = newOwner();
    const id = randomUUID();
    await write(owner, 1, workout(id));
    expect((await write(owner, 5, removal(id))).removed).toBe(1);
    await write(owner, 3, workout(id, 'Late'));
    expect(await titles(owner)).toEqual([]);
    await write(owner, 6, workout(id, 'Again'));
    expect(await titles(owner)).toEqual(['Again']);
  });

  test('is kept if it was received after the removal, whether changed or not', async () => {
    const owner = newOwner();
    const [changed, equal] = [randomUUID(), randomUUID()];
    await write(owner, 1, workout(equal, 'Equal'));
    await write(owner, 7, workout(changed, 'Changed'), workout(equal, 'Equal'));
    expect((await write(owner, 5, removal(changed), removal(equal))).removed).toBe(0);
    expect(new Set(await titles(owner))).toEqual(new Set(['Changed', 'Equal']));
  });

  test('is removed only for its own user', async () => {
    const [owner, stranger] = [newOwner(), newOwner()];
    const id = randomUUID();
    await write(owner, 1, workout(id));
    await write(stranger, 5, removal(id));
    expect(await titles(owner)).toEqual(['Run']);
  });
});

describe('samples that the provider removed', () => {
  test('are removed at their times, unless they were received later', async () => {
    const owner = newOwner();
    const group = (...ts: number[]): CanonicalRecord => ({
      kind: 'samples',
      resource: 'insulin_injection',
      subKind: 'rapid_acting',
      source,
      samples: ts.map((time) => ({ ts: time, value: 2, timezoneOffset: 0 })),
    });
    await write(owner, 1, group(at, at + 1000));
    await write(owner, 9, group(at + 2000));
    const ts = [at, at + 2000, at + 3000];
    const outcome = await write(owner, 5, { kind: 'sample_removal', resource: 'insulin_injection', subKind: 'rapid_acting', source, ts });
    expect(outcome.removed).toBe(1);
    const rows = await database.current.sql<{ ms: number }[]>`
      SELECT date_part('epoch', ts) * 1000 AS ms FROM all_samples JOIN sources USING (user_source_id) WHERE user_id = ${owner.userId} ORDER BY ts`;
    expect(rows.map(({ ms }) => ms)).toEqual([at + 1000, at + 2000]);
  });
});

describe('a workout stream', () => {
  test('is stored with one event that contains a link; receiving it again unchanged emits none', async () => {
    const owner = newOwner();
    const id = randomUUID();
    await write(owner, 1, workout(id), stream(id, 120));
    expect((await write(owner, 2, stream(id, 120))).streamsWritten).toBe(0);
    await write(owner, 3, stream(id, 130));
    expect(await eventTypes(owner)).toEqual([
      'daily.data.workouts.created',
      'daily.data.workout_stream.created',
      'daily.data.workout_stream.updated',
    ]);
    const read = { teamId: owner.teamId, workoutId: id };
    expect(await readWorkoutStream(database.current, read)).toMatchObject({ userId: owner.userId });
    expect(await heartrates(owner, id)).toEqual([130, null]);
    const [event] = await database.current.sql<{ json: string }[]>`
      SELECT json FROM log_events WHERE user_id = ${owner.userId} AND event_type = 'daily.data.workout_stream.created'`;
    expect(JSON.parse(event?.json ?? '')).toMatchObject({ workout_id: id, provider_id: '99', sport: { slug: 'running' } });
    expect(event?.json).not.toMatch(/\b120\b/);
  });

  test('keeps the value received last, in any order of writes', async () => {
    const owner = newOwner();
    const id = randomUUID();
    await write(owner, 1, workout(id), stream(id, 1));
    await write(owner, 3, stream(id, 1));
    await write(owner, 2, stream(id, 2));
    expect(await heartrates(owner, id)).toEqual([1, null]);
  });

  test('is removed with its workout, and no other team can read it', async () => {
    const owner = newOwner();
    const [id, bare] = [randomUUID(), randomUUID()];
    await write(owner, 1, workout(id), workout(bare), stream(id, 1));
    expect(await readWorkoutStream(database.current, { teamId: randomUUID(), workoutId: id })).toBeUndefined();
    expect(await readWorkoutStream(database.current, { ...owner, workoutId: bare })).toMatchObject({ userId: owner.userId, packed: null });
    await write(owner, 2, removal(id));
    expect(await readWorkoutStream(database.current, { ...owner, workoutId: id })).toBeUndefined();
    expect(await database.current.sql`SELECT 1 FROM workout_streams WHERE workout_id = ${id}`).toHaveLength(0);
  });
});
