import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { updateTeam } from '@pulsewire/connections';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
});
afterAll(() => harness.close());

const watch = { provider: 'fitbit', type: 'watch' };
const phone = { provider: 'apple_health_kit', type: 'phone' };
const at = (clock: string) => Date.parse(`2026-01-04T${clock}:00Z`);
const minute = 60_000;

async function newUser(records: readonly CanonicalRecord[]) {
  const caller = await harness.newCaller();
  const reference = randomUUID();
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: reference })).body;
  const batch = {
    owner: { teamId: caller.team.teamId, userId, clientUserId: reference },
    version: await drawVersion(database.current),
    origin: 'live',
    records,
    sourceId: 1,
    traceId: null,
  } as const;
  await withEvents(database.current, (tx, emit) => writeRecords(tx, emit, batch));
  return { caller, userId: userId as string };
}

const summary = (resource: string, source: typeof watch, startMs: number, data: Record<string, unknown>): CanonicalRecord => ({
  kind: 'summary',
  id: randomUUID(),
  resource,
  source,
  calendarDate: '2026-01-04',
  at: startMs,
  data,
});
const walk = (source: typeof watch, start: string, end: string, data: Record<string, unknown>) =>
  summary('workouts', source, at(start), {
    time_start: `2026-01-04T${start}:00+00:00`,
    time_end: `2026-01-04T${end}:00+00:00`,
    sport: { id: 2, name: 'Walking', slug: 'walking' },
    provider_id: start,
    ...data,
  });
const steps = (source: typeof watch, start: string, minutes: number, value: number): CanonicalRecord => ({
  kind: 'samples',
  resource: 'steps',
  source,
  samples: [{ ts: at(start), end: at(start) + minutes * minute, value, timezoneOffset: 0 }],
});

async function read(caller: Caller, userId: string, path: string, more = '&source=merged') {
  return (await caller.call('GET', `/v2/${path.replace('{user_id}', userId)}?start_date=2026-01-01&end_date=2026-01-31${more}`)).body;
}
const activity = 'summary/activity/{user_id}';

it('merges the days of several sources, fills gaps, and names the source of each field', async () => {
  const { caller, userId } = await newUser([
    summary('activity', phone, at('00:00'), { steps: 7000, floors_climbed: 9 }),
    summary('activity', watch, at('00:00'), { steps: 9000, calories_total: 2100 }),
  ]);
  const plain = await read(caller, userId, activity, '');
  expect([plain.activity.length, plain.merged]).toEqual([2, undefined]);
  const { activity: days, merged } = await read(caller, userId, activity);
  expect(days).toMatchObject([{ steps: 9000, calories_total: 2100, floors_climbed: 9, source: { provider: 'fitbit' } }]);
  expect(merged).toMatchObject([
    {
      id: days[0].id,
      parts: [
        { provider: 'fitbit', type: 'watch', reason: 'highest_priority', fields: expect.arrayContaining(['steps', 'calories_total']) },
        { provider: 'apple_health_kit', type: 'phone', reason: 'fills_gap', fields: ['floors_climbed'] },
      ],
    },
  ]);
});

it('pairs weighings of two sources by time, so that an extra one does not shift the others', async () => {
  const { caller, userId } = await newUser([
    summary('body', watch, at('06:30'), { weight: 70 }),
    summary('body', watch, at('07:00'), { weight: 71 }),
    summary('body', watch, at('19:00'), { weight: 72 }),
    summary('body', phone, at('06:58'), { weight: 71.1, fat: 21 }),
    summary('body', phone, at('12:00'), { fat: 25 }),
    summary('body', phone, at('19:30'), { fat: 22 }),
    summary('body', phone, at('20:01'), { fat: 23 }),
  ]);
  const { body } = await read(caller, userId, 'summary/body/{user_id}');
  expect(body.map(({ weight, fat }: Record<string, unknown>) => [weight, fat])).toEqual([
    [70, null],
    [71, 21],
    [null, 25],
    [72, 22],
    [null, 23],
  ]);
});

it('prefers sources in the order of the prefer parameter', async () => {
  const { caller, userId } = await newUser([
    summary('activity', phone, at('00:00'), { steps: 7000 }),
    summary('activity', watch, at('00:00'), { steps: 9000 }),
  ]);
  const stepsBy = async (...prefer: string[]) => {
    const more = prefer.map((source) => `&prefer=${encodeURIComponent(source)}`).join('');
    return (await read(caller, userId, activity, `&source=merged${more}`)).activity[0].steps;
  };
  expect(await stepsBy()).toBe(9000);
  expect(await stepsBy('apple_health_kit/phone', 'fitbit')).toBe(7000);
  expect(await stepsBy('fitbit', 'apple_health_kit')).toBe(9000);
  const other = await harness.newCaller();
  expect((await other.call('GET', `/v2/summary/activity/${userId}?start_date=2026-01-01&source=merged`)).status).toBe(404);
});

it('prefers sources in the order set by the team, unless the request names others', async () => {
  const { caller, userId } = await newUser([
    summary('activity', phone, at('00:00'), { steps: 7000 }),
    summary('activity', watch, at('00:00'), { steps: 9000, floors_climbed: 3 }),
    steps(watch, '10:00', 15, 900),
    steps(phone, '10:02', 10, 850),
  ]);
  const set = (sourceOrder: Record<string, string[] | null>) => updateTeam(database.current, caller.team.teamId, { sourceOrder });
  const day = async (more = '') => (await read(caller, userId, activity, `&source=merged${more}`)).activity[0];
  const sample = async () => {
    const { groups } = await read(caller, userId, 'timeseries/{user_id}/steps/grouped');
    return Object.values<{ data: { value: number }[] }[]>(groups).flatMap((own) =>
      own.flatMap(({ data }) => data.map(({ value }) => value)),
    );
  };
  await set({ default: ['apple_health_kit'] });
  expect(await day()).toMatchObject({ steps: 7000, floors_climbed: 3 });
  expect(await sample()).toEqual([850]);
  await set({ steps: ['fitbit/watch'] });
  expect((await day()).steps).toBe(7000);
  expect(await sample()).toEqual([900]);
  expect((await day('&prefer=fitbit')).steps).toBe(9000);
  await set({ default: null, steps: null });
  expect((await day()).steps).toBe(9000);
});

it('merges overlapping workouts of two sources, and keeps those of one source separate', async () => {
  const { caller, userId } = await newUser([
    walk(watch, '10:00', '11:00', { distance: 5000 }),
    walk(phone, '10:05', '10:55', { distance: 4800, steps: 6100 }),
    walk(watch, '15:00', '15:30', {}),
    walk(watch, '15:10', '15:40', {}),
    walk(phone, '20:00', '20:30', {}),
  ]);
  const { workouts, merged } = await read(caller, userId, 'summary/workouts/{user_id}');
  expect(workouts.map((one: Record<string, unknown>) => [one['provider_id'], one['distance'], one['steps']])).toEqual([
    ['10:00', 5000, 6100],
    ['15:00', null, null],
    ['15:10', null, null],
    ['20:00', null, null],
  ]);
  expect(merged[3]).toMatchObject({ parts: [{ provider: 'apple_health_kit', reason: 'only_source' }] });
});

it('fills gaps in the samples of the preferred source from the next source', async () => {
  const { caller, userId } = await newUser([
    steps(watch, '10:00', 15, 900),
    steps(phone, '10:02', 10, 850),
    steps(phone, '10:20', 10, 400),
    steps(watch, '11:00', 60, 3000),
    steps(phone, '11:40', 5, 300),
    steps(watch, '13:00', 5, 100),
  ]);
  const path = 'timeseries/{user_id}/steps/grouped';
  const { groups, next_cursor: next } = await read(caller, userId, path);
  type Group = { source: { provider: string }; reason: string; data: { value: number }[] };
  const flat = Object.values<Group[]>(groups)
    .flat()
    .map(({ source, reason, data }) => [source.provider, reason, data.map(({ value }) => value)]);
  expect(next).toBeNull();
  expect(flat).toEqual(
    expect.arrayContaining([
      ['fitbit', 'highest_priority', [900, 3000]],
      ['fitbit', 'only_source', [100]],
      ['apple_health_kit', 'fills_gap', [400]],
    ]),
  );
  expect(flat).toHaveLength(3);
});

const stepsAt = (source: typeof watch, start: string, hours: number, value: number): CanonicalRecord => ({
  kind: 'samples',
  resource: 'steps',
  source,
  samples: [{ ts: Date.parse(start), end: Date.parse(start) + hours * 60 * minute, value, timezoneOffset: 0 }],
});

async function mergedSteps(caller: Caller, userId: string, query: string) {
  const path = `/v2/timeseries/${userId}/steps/grouped?${query}&source=merged`;
  const { groups } = (await caller.call('GET', path)).body as { groups: Record<string, { reason: string; data: { value: number }[] }[]> };
  const found = Object.entries(groups).flatMap(([provider, own]) =>
    own.flatMap(({ reason, data }) => data.map(({ value }) => [provider, value, reason] as const)),
  );
  return found.toSorted((a, b) => a[1] - b[1]);
}

it('counts nothing twice if the less preferred source has daily totals', async () => {
  // A day in Tokyo, on both sides of midnight UTC.
  const { caller, userId } = await newUser([
    stepsAt(phone, '2026-01-03T15:00:00Z', 24, 9000),
    stepsAt(watch, '2026-01-03T23:30:00Z', 0.25, 400),
    stepsAt(watch, '2026-01-04T05:00:00Z', 1, 5000),
    stepsAt(phone, '2026-01-05T15:00:00Z', 24, 7000),
  ]);
  const all = 'start_date=2026-01-01&end_date=2026-01-31';
  expect(await mergedSteps(caller, userId, all)).toEqual([
    ['fitbit', 400, 'highest_priority'],
    ['fitbit', 5000, 'highest_priority'],
    ['apple_health_kit', 7000, 'fills_gap'],
  ]);
  expect(await mergedSteps(caller, userId, `${all}&prefer=apple_health_kit`)).toEqual([
    ['apple_health_kit', 7000, 'only_source'],
    ['apple_health_kit', 9000, 'highest_priority'],
  ]);
});

it('fills a gap from the third source where the second one overlaps the first', async () => {
  const ring = { provider: 'oura', type: 'ring' };
  const { caller, userId } = await newUser([
    stepsAt(ring, '2026-01-04T08:00:00Z', 0.25, 100),
    stepsAt(watch, '2026-01-04T08:10:00Z', 2, 2000),
    stepsAt(phone, '2026-01-04T09:00:00Z', 0.25, 300),
    stepsAt(watch, '2026-01-04T12:00:00Z', 1, 4000),
  ]);
  expect(await mergedSteps(caller, userId, 'start_date=2026-01-04&end_date=2026-01-04')).toEqual([
    ['oura', 100, 'highest_priority'],
    ['apple_health_kit', 300, 'highest_priority'],
    ['fitbit', 4000, 'fills_gap'],
  ]);
});

it('merges the same way whatever window is read', async () => {
  const { caller, userId } = await newUser([steps(watch, '10:01', 5, 500), steps(phone, '10:10', 3, 200), steps(phone, '10:40', 5, 50)]);
  const whole = await mergedSteps(caller, userId, 'start_date=2026-01-04&end_date=2026-01-04');
  const gap = ['apple_health_kit', 50, 'fills_gap'];
  expect(whole).toEqual([gap, ['fitbit', 500, 'highest_priority']]);
  const late = await mergedSteps(caller, userId, 'start_date=2026-01-04T10:05:00Z&end_date=2026-01-04T11:00:00Z');
  expect(late).toEqual([gap]);
});

it('returns every merged sample once across several pages', async () => {
  const days = Array.from({ length: 12 }, (_, index) => index + 1);
  const { caller, userId } = await newUser(
    days.map((day) => ({
      kind: 'samples',
      resource: 'weight',
      source: day % 2 === 0 ? watch : phone,
      samples: [{ ts: Date.parse(`2026-01-${String(day).padStart(2, '0')}T08:00:00Z`), value: 70 + day, timezoneOffset: 0 }],
    })),
  );
  const seen: number[] = [];
  let cursor = '';
  for (let page = 0; page < 10; page += 1) {
    const body = await read(caller, userId, 'timeseries/{user_id}/weight/grouped', `&source=merged${cursor}`);
    for (const own of Object.values<{ data: { value: number }[] }[]>(body.groups))
      seen.push(...own.flatMap(({ data }) => data.map(({ value }) => value)));
    if (body.next_cursor === null) break;
    cursor = `&next_cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  expect(seen.toSorted((a, b) => a - b)).toEqual(days.map((day) => 70 + day));
});

it('rejects ranges that are too long to merge, and unknown values of source', async () => {
  const { caller, userId } = await newUser([]);
  const status = async (query: string) => (await caller.call('GET', `/v2/summary/activity/${userId}?${query}`)).status;
  expect(await status('start_date=2020-01-01&end_date=2026-01-01&source=merged')).toBe(422);
  expect(await status('start_date=2026-01-01&source=fitbit')).toBe(422);
  expect(await status('start_date=2026-01-01&source=merged&prefer=a%20b')).toBe(422);
});
