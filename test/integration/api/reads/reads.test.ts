import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;
let userId: string;

const source = { provider: 'fitbit', type: 'watch' };
const activity = (day: string, steps: number): CanonicalRecord => ({
  kind: 'summary',
  id: randomUUID(),
  resource: 'activity',
  source,
  calendarDate: day,
  at: Date.parse(day),
  data: { date: `${day}T00:00:00+00:00`, calendar_date: day, steps },
});
const sleep = (day: string, stop: string): CanonicalRecord => ({
  kind: 'summary',
  id: randomUUID(),
  resource: 'sleep',
  source,
  calendarDate: day,
  at: Date.parse(stop),
  data: {
    date: `${day}T00:00:00+00:00`,
    calendar_date: day,
    bedtime_start: `${day}T00:10:00+00:00`,
    bedtime_stop: stop,
    type: 'long_sleep',
    duration: 1,
    total: 1,
    awake: 0,
    light: 1,
    rem: 0,
    deep: 0,
  },
});
const samples = (resource: string, type: string, times: readonly string[]): CanonicalRecord => ({
  kind: 'samples',
  resource,
  source: { provider: 'fitbit', type },
  samples: times.map((time, index) => ({ ts: Date.parse(time), end: Date.parse(time) + 60_000, value: index + 1, timezoneOffset: 0 })),
});

async function store(...records: CanonicalRecord[]): Promise<void> {
  const owner = { teamId: caller.team.teamId, userId, clientUserId: 'reader' };
  const version = await drawVersion(database.current);
  await withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version, origin: 'live', records, sourceId: 1, traceId: null }),
  );
}

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
  userId = (await caller.call('POST', '/v2/user', { client_user_id: 'reader' })).body.user_id;
  await store(
    activity('2026-01-03', 3),
    activity('2026-01-01', 1),
    activity('2026-01-02', 2),
    sleep('2026-01-02', '2026-01-02T06:00:00+00:00'),
  );
  await store(
    samples('weight', 'scale', ['2026-01-01T07:00:00Z', '2026-01-02T07:00:00Z']),
    samples('steps', 'watch', ['2026-01-01T10:00:00Z', '2026-01-01T10:01:00Z', '2026-01-01T10:02:00Z', '2026-01-01T10:03:00Z']),
    samples('steps', 'app', ['2026-01-01T09:00:00Z']),
  );
});
afterAll(() => harness.close());

const read = (resource: string, query: string) => caller.call('GET', `/v2/summary/${resource}/${userId}?${query}`);
const stepsOf = (reply: { body: { activity: { steps: number }[] } }) => reply.body.activity.map(({ steps }) => steps);

describe('summary reads', () => {
  it('treat plain dates as inclusive local days, and return days in ascending order', async () => {
    expect(stepsOf(await read('activity', 'start_date=2026-01-01&end_date=2026-01-02'))).toEqual([1, 2]);
    const { body } = await read('sleep', 'start_date=2026-01-02&end_date=2026-01-02');
    expect(body.sleep).toHaveLength(1);
    expect(body.sleep[0]).toMatchObject({
      user_id: userId,
      type: 'long_sleep',
      score: null,
      source: { provider: 'fitbit', type: 'watch' },
    });
  });

  it('treat date-times with any offset as instants, and default the end to now', async () => {
    expect(stepsOf(await read('activity', `start_date=${encodeURIComponent('2026-01-02T02:00:00+02:00')}`))).toEqual([2, 3]);
    expect(stepsOf(await read('activity', 'start_date=2026-01-01T00:00:01Z&end_date=2026-01-02'))).toEqual([2]);
    expect((await read('sleep', 'start_date=2026-01-02T06:00:01Z&end_date=2026-01-03')).body.sleep).toEqual([]);
  });

  it('filter by provider, and are empty for a user without data', async () => {
    expect(stepsOf(await read('activity', 'start_date=2026-01-01&provider=oura'))).toEqual([]);
    expect(stepsOf(await read('activity', 'start_date=2026-01-01&provider=fitbit'))).toHaveLength(3);
    for (const [resource, key] of [
      ['body', 'body'],
      ['meal', 'meals'],
      ['workouts', 'workouts'],
      ['sleep_cycle', 'sleep_cycle'],
      ['menstrual_cycle', 'menstrual_cycle'],
      ['electrocardiogram', 'electrocardiogram'],
    ]) {
      expect((await read(resource as string, 'start_date=2026-01-01')).body).toEqual({ [key as string]: [] });
    }
    expect((await caller.call('GET', `/v2/summary/profile/${userId}`)).status).toBe(404);
  });

  it('return the most recently changed profile as a bare object', async () => {
    const profile = (provider: string, height: number): CanonicalRecord => ({
      kind: 'summary',
      id: randomUUID(),
      resource: 'profile',
      source: { provider, type: 'app' },
      calendarDate: null,
      at: 0,
      data: { date: '2026-01-01', height },
    });
    await store(profile('fitbit', 170));
    const storedMs = Date.now();
    while (Date.now() === storedMs) await new Promise((resolve) => setImmediate(resolve));
    await store(profile('oura', 171));
    expect((await caller.call('GET', `/v2/summary/profile/${userId}`)).body).toMatchObject({ height: 171, user_id: userId });
    expect((await caller.call('GET', `/v2/summary/profile/${userId}?provider=fitbit`)).body.height).toBe(170);
  });

  it('reject a missing start, unreadable bounds and an end before the start', async () => {
    const types = async (query: string, resource = 'activity') =>
      (await read(resource, query)).body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.at(-1), type]);
    expect(await types('end_date=soon')).toEqual([
      ['start_date', 'missing'],
      ['end_date', 'datetime_from_date_parsing'],
    ]);
    expect(await types('start_date=2026-01-05&end_date=2026-01-04')).toEqual([['end_date', 'value_error']]);
    expect(await types('start_date=2026-13-05', 'sleep')).toEqual([['start_date', 'datetime_from_date_parsing']]);
    expect(await types('start_date=2026-01-05T10:00:00Z', 'sleep_cycle')).toEqual([['start_date', 'date_from_datetime_inexact']]);
  });
});

describe('grouped timeseries', () => {
  const grouped = (slug: string, query: string) => caller.call('GET', `/v2/timeseries/${userId}/${slug}/grouped?${query}`);

  it('return every sample once across pages, even without an end date', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const reply = await grouped('steps', `start_date=2026-01-01${cursor === null ? '' : `&next_cursor=${encodeURIComponent(cursor)}`}`);
      expect(reply.status).toBe(200);
      for (const group of reply.body.groups.fitbit) for (const sample of group.data) seen.push(`${group.source.type} ${sample.timestamp}`);
      cursor = reply.body.next_cursor;
      expect(reply.body.next).toBe(cursor);
      harness.clock.advance(1000);
      pages += 1;
    } while (cursor !== null);
    expect(pages).toBe(2);
    expect(seen).toEqual(['app 2026-01-01T09:00:00+00:00', ...[0, 1, 2, 3].map((minute) => `watch 2026-01-01T10:0${minute}:00+00:00`)]);
  });

  it('accept both the read slug and the event name of a series', async () => {
    for (const slug of ['body_weight', 'weight']) {
      const { body } = await grouped(slug, 'start_date=2026-01-01&end_date=2026-01-01');
      expect(body.groups.fitbit[0].data).toEqual([
        expect.objectContaining({ timestamp: '2026-01-01T07:00:00+00:00', unit: 'kg', value: 1 }),
      ]);
    }
  });

  it('return 404 for an unknown series, and reject a cursor of another query', async () => {
    expect((await grouped('moods', 'start_date=2026-01-01')).status).toBe(404);
    const { body } = await grouped('steps', 'start_date=2026-01-01&end_date=2026-01-02');
    const carried = encodeURIComponent(body.next_cursor);
    for (const query of ['next_cursor=garbage', 'cursor=x.y', `next_cursor=${carried}&provider=fitbit`]) {
      const reply = await grouped('steps', `start_date=2026-01-01&end_date=2026-01-02&${query}`);
      expect([reply.status, reply.body.detail[0].loc[0]]).toEqual([422, 'query']);
    }
    expect((await grouped('steps', `start_date=2026-01-01&end_date=2026-01-02&cursor=${carried}`)).status).toBe(200);
  });
});

describe('the stream of a workout', () => {
  const workout = (id: string): CanonicalRecord => ({
    kind: 'summary',
    id,
    resource: 'workouts',
    source,
    calendarDate: '2026-01-04',
    at: Date.parse('2026-01-04T10:00:00Z'),
    data: {},
  });
  const readStream = (id: string, by: Caller = caller) => by.call('GET', `/v2/timeseries/workouts/${id}/stream`);
  const empty = {
    time: [],
    cadence: [],
    altitude: [],
    velocity_smooth: [],
    heartrate: [],
    lat: [],
    lng: [],
    distance: [],
    power: [],
    resistance: [],
    temperature: [],
  };

  it('returns parallel arrays with nulls for gaps, and empty arrays for channels without data', async () => {
    const [id, bare] = [randomUUID(), randomUUID()];
    const data = { time: [1767546000, 1767546005], heartrate: [120, null], lat: [51.5, 51.5001] };
    const stream = { kind: 'stream', resource: 'workout_stream', workoutId: id, providerId: '7', sport: null, source, data } as const;
    await store(workout(id), workout(bare), stream);
    const reply = await readStream(id);
    expect([reply.status, reply.body]).toEqual([200, { ...empty, ...data }]);
    expect((await readStream(bare)).body).toEqual(empty);
  });

  it('is a 404 for unknown workouts, other summaries, foreign and deleted users; 422 for bad ids', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    await store(workout(id), { ...activity('2026-01-04', 1), id: other } as CanonicalRecord);
    expect((await readStream(id)).status).toBe(200);
    expect((await readStream(id, await harness.newCaller())).status).toBe(404);
    expect((await readStream(other)).status).toBe(404);
    expect((await readStream(randomUUID())).status).toBe(404);
    expect((await readStream('seven')).body.detail[0].loc).toEqual(['path', 'workout_id']);
    await caller.call('DELETE', `/v2/user/${userId}`);
    const others = await caller.call('GET', `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01`);
    expect([(await readStream(id)).status, others.status]).toEqual([others.status, expect.toSatisfy((status: number) => status >= 400)]);
  });
});
