import { afterAll, beforeAll, expect, it } from 'vitest';
import { IntakeBody, resources } from '@pulsewire/contract';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller, type Reply } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

async function newUser(provider = 'manual', owner = caller): Promise<string> {
  const { user_id: userId } = (await owner.call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })).body;
  await owner.call('POST', `/v2/link/provider/manual/${provider}`, { user_id: userId, provider_id: userId });
  return userId;
}

const send = (userId: string, body: object, provider = 'manual', owner = caller) =>
  owner.call('POST', `/v2/user/${userId}/data/${provider}`, body);
const weightAt = (value: number, timestamp = '2026-01-01T08:00:00+02:00') => ({
  source: { type: 'scale' },
  samples: { weight: [{ timestamp, value, timezone_offset: 7200 }] },
});
const faults = (reply: Reply) => reply.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'));
const eventsOf = async (userId: string) => {
  const rows = await database.current.sql<{ event_type: string }[]>`
    SELECT event_type FROM log_events WHERE user_id = ${userId} AND event_type LIKE '%.data.%' ORDER BY event_type`;
  return rows.map(({ event_type: type }) => type);
};

it('stores samples and summaries of a source, returns them, and emits their events', async () => {
  const userId = await newUser('omron_ble');
  const reply = await send(
    userId,
    {
      source: { type: 'cuff', app_id: 'com.example.app' },
      samples: {
        blood_pressure: [{ timestamp: '2026-01-01T08:00:00Z', systolic: 121, diastolic: 78, unit: 'mmHg' }],
        steps: [{ start: '2026-01-01T08:00:00Z', end: '2026-01-01T08:10:00Z', value: 312 }],
        cholesterol: [
          { timestamp: '2026-01-01T08:00:00Z', type: 'ldl', value: 2.5 },
          { timestamp: '2026-01-01T08:00:00Z', type: 'hdl', value: 1.5 },
        ],
        note: [{ start: '2026-01-01T08:00:00Z', end: '2026-01-01T08:00:00Z', value: 'walk', tags: ['exercise'] }],
      },
      summaries: {
        workouts: [
          {
            external_id: 'w1',
            calendar_date: '2026-01-01',
            time_start: '2026-01-01T09:00:00+01:00',
            time_end: '2026-01-01T10:00:00+01:00',
            sport: 'running',
            distance: 9000,
          },
        ],
      },
    },
    'omron_ble',
  );
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    samples: { received: 5, created: 5, updated: 0 },
    summaries: { received: 1, created: 1, updated: 0 },
    left_out: [],
  });
  const pressure = await caller.call('GET', `/v2/timeseries/${userId}/blood_pressure/grouped?start_date=2026-01-01&end_date=2026-01-02`);
  expect(pressure.body.groups.omron_ble[0]).toMatchObject({
    source: { provider: 'omron_ble', type: 'cuff', app_id: 'com.example.app' },
    data: [{ timestamp: '2026-01-01T08:00:00+00:00', systolic: 121, diastolic: 78, unit: 'mmHg' }],
  });
  const { workouts } = (await caller.call('GET', `/v2/summary/workouts/${userId}?start_date=2026-01-01&end_date=2026-01-02`)).body;
  expect(workouts).toMatchObject([
    { time_start: '2026-01-01T08:00:00+00:00', provider_id: 'w1', distance: 9000, sport: { slug: 'running', name: 'Running' } },
  ]);
  expect(await eventsOf(userId)).toEqual([
    'daily.data.blood_pressure.created',
    'daily.data.cholesterol.created',
    'daily.data.cholesterol.created',
    'daily.data.note.created',
    'daily.data.steps.created',
    'daily.data.workouts.created',
  ]);
});

it('ignores a repeated request, and replaces a value with that of a later request', async () => {
  const userId = await newUser();
  expect((await send(userId, weightAt(71))).body.samples).toEqual({ received: 1, created: 1, updated: 0 });
  expect((await send(userId, weightAt(71, '2026-01-01T06:00:00Z'))).body.samples).toEqual({ received: 1, created: 0, updated: 0 });
  expect((await send(userId, weightAt(72))).body.samples).toEqual({ received: 1, created: 0, updated: 1 });
  expect(await eventsOf(userId)).toEqual(['daily.data.weight.created', 'daily.data.weight.updated']);

  const day = { source: { type: 'app' }, summaries: { body: [{ calendar_date: '2026-01-01', weight: 72 }] } };
  expect((await send(userId, day)).body.summaries).toEqual({ received: 1, created: 1, updated: 0 });
  expect((await send(userId, day)).body.summaries).toEqual({ received: 1, created: 0, updated: 0 });
});

it('lists every invalid item of a body in one response, and stores none of the body', async () => {
  const userId = await newUser();
  const reply = await send(userId, {
    source: { type: 'spaceship' },
    samples: {
      weight: [{ timestamp: '2026-01-01T08:00:00', value: 71 }, { value: 'heavy' }],
      glucose: [{ timestamp: '2026-01-01T08:00:00Z', value: 99, unit: 'mg/dL' }],
      moods: [],
    },
    summaries: { sleep: [{ external_id: 's1', type: 'coma', oops: 1 }] },
  });
  expect(reply.status).toBe(422);
  expect(faults(reply)).toEqual(
    expect.arrayContaining([
      'body.source.type',
      'body.samples.weight.0.timestamp',
      'body.samples.weight.1.timestamp',
      'body.samples.weight.1.value',
      'body.samples.glucose.0.unit',
      'body.samples.moods',
      'body.summaries.sleep.0.bedtime_start',
      'body.summaries.sleep.0.type',
      'body.summaries.sleep.0.oops',
    ]),
  );
  expect(await eventsOf(userId)).toEqual([]);
});

it('reports contradictions between the fields of an item', async () => {
  const userId = await newUser();
  const span = { session_start: '2026-01-01T22:00:00Z', session_end: '2026-01-01T21:00:00Z' };
  const reply = await send(userId, {
    source: { type: 'watch' },
    samples: { steps: [{ start: '2026-01-01T08:00:00Z', end: '2026-01-01T07:00:00Z', value: 1 }] },
    summaries: {
      sleep_cycle: [{ external_id: 'a', ...span, stage_start_offset_second: [0], stage_end_offset_second: [], stage_type: [1] }],
      workouts: [
        {
          external_id: 'w',
          calendar_date: '2026-01-01',
          time_start: '2026-01-01T08:00:00Z',
          time_end: '2026-01-01T09:00:00Z',
          sport: 'quidditch',
        },
      ],
    },
  });
  expect(reply.status).toBe(422);
  expect(faults(reply)).toEqual([
    'body.samples.steps.0.end',
    'body.summaries.workouts.0.sport',
    'body.summaries.sleep_cycle.0.session_end',
    'body.summaries.sleep_cycle.0.stage_end_offset_second',
  ]);
  expect(faults(await send(userId, { source: { type: 'watch' } }))).toEqual(['body']);
  const stage = { start: '2026-01-01T08:00:00Z', end: '2026-01-01T09:00:00Z', value: 2 };
  expect(faults(await send(userId, { source: { type: 'watch' }, samples: { hypnogram: [stage] } }))).toEqual(['body.samples.hypnogram']);
});

it('accepts data only for a source that is linked to this user of this team', async () => {
  const userId = await newUser('manual');
  expect((await send(userId, weightAt(71), 'omron_ble')).status).toBe(404);
  expect((await send(userId, weightAt(71), 'fitbit')).status).toBe(422);
  const other = await harness.newCaller();
  expect((await send(userId, weightAt(71), 'manual', other)).status).toBe(404);
  expect((await send(crypto.randomUUID(), weightAt(71))).status).toBe(404);
  await caller.call('DELETE', `/v2/user/${userId}/manual`);
  expect((await send(userId, weightAt(71))).status).toBe(404);
  expect(await eventsOf(userId)).toEqual([]);
});

it('stores nothing outside the ingestion bounds of the user, and lists what it left out', async () => {
  const userId = await newUser();
  await caller.call('PATCH', `/v2/user/${userId}`, { ingestion_start: '2026-02-01' });
  const reply = await send(userId, { ...weightAt(71), summaries: { body: [{ calendar_date: '2026-01-01' }, { calendar_date: '2026-03-01' }] } });
  expect(reply.body).toEqual({
    samples: { received: 1, created: 0, updated: 0 },
    summaries: { received: 2, created: 1, updated: 0 },
    left_out: [
      { loc: ['samples', 'weight', 0], reason: 'outside_ingestion_bounds' },
      { loc: ['summaries', 'body', 0], reason: 'outside_ingestion_bounds' },
    ],
  });
});

it('counts both of two items of one instant, stores the last and lists the one that it replaced', async () => {
  const userId = await newUser();
  const timestamp = '2026-11-20T08:00:00Z';
  const reply = await send(userId, {
    source: { type: 'scale' },
    samples: {
      weight: [
        { timestamp, value: 80 },
        { timestamp, value: 81 },
      ],
      cholesterol: [
        { timestamp, type: 'ldl', value: 2.5 },
        { timestamp, type: 'hdl', value: 1.5 },
      ],
    },
  });
  expect(reply.body).toMatchObject({
    samples: { received: 4, created: 3 },
    left_out: [{ loc: ['samples', 'weight', 0], reason: 'replaced_in_request' }],
  });
  const read = await caller.call('GET', `/v2/timeseries/${userId}/body_weight/grouped?start_date=2026-11-20&end_date=2026-11-20`);
  expect(read.body.groups.manual[0].data).toMatchObject([{ value: 81 }]);
});

it('refuses values that no body can have, naming each item and the limit', async () => {
  const userId = await newUser();
  const reply = await send(userId, {
    source: { type: 'scale' },
    samples: {
      weight: [
        { timestamp: '2026-11-20T08:00:00Z', value: -5 },
        { timestamp: '2026-11-20T08:05:00Z', value: 1e21 },
        { timestamp: '2026-11-20T08:10:00Z', value: 80 },
      ],
      blood_pressure: [{ timestamp: '2026-11-20T08:00:00Z', systolic: 1200, diastolic: 80 }],
    },
    summaries: { body: [{ calendar_date: '2026-11-20', weight: 82_000, fat: null }] },
  });
  expect([reply.status, faults(reply)]).toEqual([
    422,
    [
      'body.samples.blood_pressure.0.systolic',
      'body.samples.weight.0.value',
      'body.samples.weight.1.value',
      'body.summaries.body.0.weight',
    ],
  ]);
  expect(reply.body.detail[1].msg).toBe('Must be at least 0.1');
});

it('rejects bodies that are too large or contain too many items', async () => {
  const userId = await newUser();
  const item = { timestamp: '2026-01-01T08:00:00Z', value: 1 };
  const large = { ...weightAt(71), note: 'x'.repeat(1024 * 1024) };
  expect((await send(userId, large)).status).toBe(413);
  const items = Array.from({ length: 8000 }, () => item);
  const many = { source: { type: 'app' }, samples: { hrv: items, weight: items } };
  expect(JSON.stringify(many).length).toBeLessThan(1024 * 1024);
  expect(faults(await send(userId, many))).toEqual(['body']);
});

it('has a typed list for each series and each summary', () => {
  const { samples, summaries } = IntakeBody.properties;
  const named = (kind: string) => resources.filter((row) => row.kind === kind).map(({ name }) => name);
  expect(Object.keys(samples.properties)).toEqual(named('timeseries'));
  expect(Object.keys(summaries.properties)).toEqual(named('summary'));
});
