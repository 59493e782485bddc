import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { unpackStream, type CanonicalRecord, type WorkoutStream } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { packStreams, readWorkoutStream, writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const source = { provider: 'strava', type: 'app' };
const data = { time: [1, 2, 3], heartrate: [120, null, 122], lat: [52.5, 52.500013, 52.5001] };

const write = (owner: RecordOwner, version: number, ...records: CanonicalRecord[]) =>
  withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version: BigInt(version), origin: 'live', sourceId: 4, traceId: null, records }),
  );
const workout = (id: string): CanonicalRecord => {
  return { kind: 'summary', id, resource: 'workouts', source, calendarDate: '2026-01-05', at: Date.UTC(2026, 0, 5), data: {} };
};
const stream = (workoutId: string, values: WorkoutStream['data'] = data): WorkoutStream => {
  return { kind: 'stream', resource: 'workout_stream', workoutId, providerId: '99', sport: null, source, data: values };
};

/** Stores a workout whose stream is JSON, as written by versions before packed streams. */
async function storedAsJson(owner: RecordOwner): Promise<string> {
  const id = randomUUID();
  await write(owner, 1, workout(id), stream(id));
  await database.current.sql`
    UPDATE workout_streams SET packed = NULL, data = ${JSON.stringify(data)}::text::jsonb WHERE workout_id = ${id}`;
  return id;
}

const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });
const read = async (owner: RecordOwner, workoutId: string) => {
  const found = await readWorkoutStream(database.current, { ...owner, workoutId });
  return found?.packed && unpackStream(found.packed);
};
const rowOf = async (id: string) => {
  const [row] = await database.current.sql<{ is_json: boolean; is_packed: boolean; version: string; updated_at: string }[]>`
    SELECT data IS NOT NULL AS is_json, packed IS NOT NULL AS is_packed, version::text, updated_at::text FROM workout_streams WHERE workout_id = ${id}`;
  return row;
};

test('a stream stored as JSON is read like a packed one', async () => {
  const owner = newOwner();
  expect(await read(owner, await storedAsJson(owner))).toEqual(data);
});

test('a stream stored as JSON and received again unchanged emits nothing, and is packed', async () => {
  const owner = newOwner();
  const id = await storedAsJson(owner);
  expect((await write(owner, 2, stream(id))).events).toBe(0);
  expect(await rowOf(id)).toMatchObject({ is_json: false, is_packed: true, version: '2' });
  expect((await write(owner, 3, stream(id, { time: [1] }))).events).toBe(1);
  expect(await read(owner, id)).toEqual({ time: [1] });
});

test('a packed stream that a process of an earlier version overwrote is read as that process wrote it', async () => {
  const owner = newOwner();
  const id = await storedAsJson(owner);
  await write(owner, 2, stream(id, { time: [7] }));
  await database.current.sql`UPDATE workout_streams SET data = ${JSON.stringify(data)}::text::jsonb, version = 3 WHERE workout_id = ${id}`;
  expect(await read(owner, id)).toEqual(data);
  expect((await write(owner, 4, stream(id))).events).toBe(0);
});

test('packs streams stored as JSON in batches, changes nothing else, and skips those locked by a writer', async () => {
  await packStreams(database.current, 1000);
  const owner = newOwner();
  const ids = await Promise.all(Array.from({ length: 23 }, () => storedAsJson(owner)));
  const [first, second] = ids as [string, string];
  const before = await rowOf(first);
  await database.current.transaction(async (tx) => {
    await tx.sql`SELECT 1 FROM workout_streams WHERE workout_id = ${second} FOR UPDATE`;
    expect(await packStreams(database.current, 12)).toBe(12);
    expect(await packStreams(database.current, 1000)).toBe(10);
  });
  expect(await packStreams(database.current, 1000)).toBe(1);
  expect(await packStreams(database.current, 1000)).toBe(0);
  expect(await rowOf(first)).toEqual({ ...before, is_json: false, is_packed: true });
  for (const id of ids) expect(await read(owner, id)).toEqual(data);
});
