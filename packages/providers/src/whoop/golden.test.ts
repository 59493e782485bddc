import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { goldenText, withoutRaw } from '../kit/testing/golden-text.ts';
import { createFakeHttp, type FakeResponse } from '../kit/testing/fake-http.ts';
import { silentLossesOfPull } from '../kit/testing/silent-losses.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { historyDepth } from '../kit/history-depth.ts';
import type { LeftOutBefore, PulledPage } from '../kit/types/connector.ts';
import { whoopPulls } from './pulls.ts';
import { parseDuring, parseLastDay } from './span.ts';
import { sportSlugOf } from './sports.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '1234567',
  grantedScopes: [],
  account: {},
};
const fileUrl = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
const readFixture = async (name: string): Promise<unknown> => JSON.parse(await readFile(fileUrl(`${name}.json`), 'utf8'));

async function run(name: string, response: FakeResponse, leftOut?: Map<LeftOutBefore, number>) {
  const http = createFakeHttp(response);
  const spec = whoopPulls.find((pull) => pull.name === name);
  const pages: PulledPage[] = [];
  const window = { startDate: '2026-03-10', endDate: '2026-03-12', ...(leftOut && { leftOut }) };
  for await (const page of spec?.pull({ http, user, window, signal: AbortSignal.timeout(60_000) }) ?? []) pages.push(page);
  return { http, records: pages.flatMap((page) => page.records), quarantined: pages.flatMap((page) => page.quarantined) };
}

async function responses(changed: Readonly<Record<string, unknown>> = {}): Promise<FakeResponse> {
  const bodies = { details: await readFixture('cycles'), 'sleep-events': await readFixture('sleep'), ...changed };
  const heart = await readFixture('heartrate');
  return ({ path, query }) => {
    // Only the night has stages.
    if (path.endsWith('sleep-events') && query?.['activityId']?.endsWith('a1') === false)
      throw providerError('provider_permanent', { status: 404 });
    return query?.['name'] === 'heart_rate' ? heart : bodies[path.split('/').at(-1) as keyof typeof bodies];
  };
}

it.each(['cycles', 'metrics'])('%s: returns the records of its golden file', async (name) => {
  const { records, quarantined } = await run(name, await responses());
  expect(unsoundRecords(records)).toEqual([]);
  expect(withoutRaw(records, await readFixture('cycles'))).toEqual([]);
  await expect(goldenText({ records, quarantined })).toMatchFileSnapshot(fileUrl(`${name}.expected.json`).pathname);
});

it.each([
  ['cycles', 'cycles', 'details'],
  ['sleep', 'cycles', 'sleep-events'],
  ['heartrate', 'metrics', 'heartrate'],
])('loses no record to an item of %s that it cannot read without setting something aside', async (fixture, pull, key) => {
  const read = async (body: unknown) => {
    const whole = await responses({ [key]: body });
    return run(pull, (call) => (key === 'heartrate' && call.query?.['name'] ? body : whole(call)));
  };
  expect((await read(await readFixture(fixture))).records).not.toEqual([]);
  expect(await silentLossesOfPull(read, await readFixture(fixture))).toEqual([]);
});

it.each([undefined, null, 7, 'text', [], {}, [null], { records: [null] }, { records: [{ cycle: 7 }] }])(
  'sets %j aside without failing',
  async (body) => {
    for (const { name } of whoopPulls) expect((await run(name, () => body)).records).toEqual([]);
  },
);

const record = (cycle: object, more: object = {}) => ({
  cycle: {
    id: 1,
    days: "['2026-03-11','2026-03-12')",
    during: "['2026-03-11T03:00:00Z','2026-03-12T03:10:00Z')",
    timezone_offset: '-0400',
    ...cycle,
  },
  ...more,
});
const night = (more: object = {}) => ({
  activity_id: '3f0c1de5-0000-4000-8000-0000000000a1',
  during: "['2026-03-11T03:00:00.000Z','2026-03-11T10:30:00.000Z')",
  timezone_offset: '-04:00',
  state: 'complete',
  is_nap: false,
  light_sleep_duration: 7_200_000,
  slow_wave_sleep_duration: 3_600_000,
  rem_sleep_duration: 5_400_000,
  wake_duration: 600_000,
  ...more,
});
const readOf = async (...records: object[]) => (await run('cycles', await responses({ details: { records } }))).records;

it('omits the current day, nights still being processed, and workouts with a pending score', async () => {
  const workout = { activity_id: 'w', during: "['2026-03-11T20:00:00Z','2026-03-11T21:00:00Z')", sport_id: 0 };
  const running = record(
    { during: "['2026-03-11T03:00:00Z',)", data_state: 'pending', day_kilojoules: null },
    { sleeps: [night({ state: 'pending' })], workouts: [workout], v2_activities: [{ id: 'w', score_state: 'pending' }] },
  );
  expect(await readOf(running)).toEqual([]);
  const later = await readOf({ ...running, v2_activities: [], sleeps: [night()] });
  expect(later.map(({ resource }) => resource)).toEqual(['workouts', 'sleep', 'sleep_cycle']);
});

it('assigns the recovery to the night and not to a nap, and reads hrv in seconds', async () => {
  const nap = night({ activity_id: 'nap', is_nap: true, during: "['2026-03-11T18:00:00Z','2026-03-11T18:20:00Z')" });
  const recovery = { state: 'complete', hrv_rmssd: 0.099, recovery_score: 66, resting_heart_rate: 51 };
  const records = await readOf(record({}, { sleeps: [nap, night()], recovery }));
  const sleeps = records.flatMap((item) => (item.kind === 'summary' && item.resource === 'sleep' ? [item.data] : []));
  expect(sleeps).toMatchObject([
    { type: 'acknowledged_nap', average_hrv: null, recovery_readiness_score: null },
    { type: 'long_sleep', average_hrv: 99, recovery_readiness_score: 66, light: 7200, deep: 3600, rem: 5400, awake: 600 },
  ]);
  expect(records.filter(({ resource }) => resource === 'hrv')).toMatchObject([{ samples: [{ value: 99 }] }]);
});

it('keeps a night whose stages WHOOP does not have, without a cycle', async () => {
  const records = await readOf(record({ data_state: 'pending' }, { sleeps: [night({ activity_id: 'no-stages' })] }));
  expect(records.map(({ resource }) => resource)).toEqual(['sleep']);
});

it('derives the day of a cycle without `days` from its start', async () => {
  const [activity] = await readOf(record({ days: null, data_state: 'complete', day_kilojoules: 8368 }));
  expect(activity).toMatchObject({ resource: 'activity', calendarDate: '2026-03-11', data: { calories_total: 2000 } });
});

it('requests no metric except the heart rate, every six seconds', async () => {
  const { http } = await run('metrics', ({ query }) => (query?.['name'] === undefined ? { records: [record({})] } : { values: [] }));
  expect(http.calls.flatMap(({ query }) => (query?.['name'] ? [[query['name'], query['step']]] : []))).toEqual([['heart_rate', '6']]);
});

it.each([
  ['in lower case', ['light', 'slow_wave', 'rem', 'awake']],
  ['in upper case', ['LIGHT', 'SWS', 'REM', 'WAKE']],
  ['in other words', ['LIGHT', 'DEEP', 'Rem', 'LATENCY']],
])('reads sleep stages %s', async (_name, types) => {
  const { cycle, quarantined } = await stagesOf(types);
  expect(cycle).toMatchObject({ data: { stage_type: [2, 1, 3, 4] } });
  expect(quarantined).toEqual([]);
});

it('quarantines an unknown stage, and keeps the others of the night', async () => {
  const { cycle, quarantined } = await stagesOf(['light', 'dreaming', 'rem', 'awake']);
  expect(cycle).toMatchObject({ data: { stage_type: [2, 3, 4] } });
  expect(quarantined).toEqual([{ resource: 'sleep_cycle', reason: 'unknown_shape', pointer: '/1/type' }]);
});

async function stagesOf(types: readonly string[]) {
  const clocks = ['2026-03-11T05:00', '2026-03-11T06:00', '2026-03-11T07:00', '2026-03-11T08:00', '2026-03-11T09:00'];
  const events = types.map((type, i) => ({ type, during: `['${clocks[i] ?? ''}:00.000Z','${clocks[i + 1] ?? ''}:00.000Z')` }));
  const details = { records: [record({}, { sleeps: [night({ activity_id: 'a1' })] })] };
  const { records, quarantined } = await run('cycles', await responses({ details, 'sleep-events': events }));
  return { cycle: records.find(({ resource }) => resource === 'sleep_cycle'), quarantined };
}

it('returns no offset for a cycle when the next cycle has another one', async () => {
  const cycle = (day: number, offset: string) =>
    record({
      id: day,
      days: `['2026-03-${day}','2026-03-${day + 1}')`,
      during: `['2026-03-${day}T05:00:00Z','2026-03-${day + 1}T05:00:00Z')`,
      timezone_offset: offset,
    });
  const details = { records: [cycle(12, '-0400'), cycle(11, '-0400'), cycle(10, '-0500')] };
  const { records } = await run('metrics', await responses({ details }));
  expect(records.map((item) => (item.kind === 'samples' ? item.samples[0]?.timezoneOffset : undefined))).toEqual([-14_400, -14_400, null]);
});

it('rereads as many days of heart rate as of nights, in one window, because straps sync late', () => {
  expect(whoopPulls.map(({ rereadDays, chunkDays }) => [rereadDays, chunkDays > rereadDays])).toEqual([
    [5, true],
    [5, true],
  ]);
});

it('reads a year of history on request, and two weeks of heart rate', () => {
  expect(whoopPulls.map((pull) => [historyDepth(pull, null), historyDepth(pull, 365)])).toEqual([
    [180, 365],
    [14, 14],
  ]);
});

it('maps sport numbers to slugs, and those that are not in the table by the words of the activity', async () => {
  expect([0, 30, 123, 231, 9999, '0', null].map(sportSlugOf)).toEqual([
    'running',
    'football',
    'strength_training',
    'badminton',
    null,
    null,
    null,
  ]);
  const workout = { activity_id: 'w', during: "['2026-03-11T20:00:00Z','2026-03-11T21:00:00Z')", sport_id: 9999 };
  const activity = { id: 'w', type: 'weightlifting', score_state: 'complete' };
  const [named] = await readOf(record({ data_state: 'pending' }, { workouts: [workout], v2_activities: [activity] }));
  expect(named).toMatchObject({ data: { sport: { slug: 'weightlifting' } } });
});

it('reads the time in each zone of the heart rate where the zones add up to the workout', async () => {
  const zonesOf = async (zoneDurations: unknown) => {
    const workout = { activity_id: 'w', during: "['2026-03-11T20:00:00Z','2026-03-11T21:00:00Z')", zone_durations: zoneDurations };
    const [found] = await readOf(record({ data_state: 'pending' }, { workouts: [workout] }));
    return found?.kind === 'summary' ? found.data['hr_zones'] : undefined;
  };
  expect(await zonesOf([600.4, 1200, 900, 600, 300, 0])).toEqual([600, 1200, 900, 600, 300, 0]);
  expect(await zonesOf([600_400, 1_200_000, 900_000, 600_000, 300_000, 0])).toBeNull();
  expect(await zonesOf(undefined)).toBeNull();
});

describe('a nap that only the list of activities names', () => {
  const nap = {
    id: 'nap-a1',
    type: 'nap',
    during: "['2026-03-11T18:00:00.000Z','2026-03-11T18:30:00.000Z')",
    timezone_offset: null,
    timezone_offset_from_model: '-04:00',
    score_state: 'complete',
  };
  const recovery = { state: 'complete', activity_id: 'nap-a1', hrv_rmssd: 0.04, recovery_score: 31, resting_heart_rate: 60 };
  const cycle = record({ data_state: 'pending' }, { sleeps: [night()], recovery, v2_activities: [nap] });
  const stages = [{ type: 'LIGHT', during: "['2026-03-11T18:05:00.000Z','2026-03-11T18:25:00.000Z')" }];
  const read = async (events: unknown) => {
    const leftOut = new Map<LeftOutBefore, number>();
    const { records } = await run('cycles', await responses({ details: { records: [cycle] }, 'sleep-events': events }), leftOut);
    return { leftOut, sleeps: records.flatMap((one) => (one.kind === 'summary' && one.resource === 'sleep' ? [one.data] : [])) };
  };

  it('is stored with its stages and has the recovery that names it', async () => {
    const { sleeps, leftOut } = await read(stages);
    expect(sleeps).toMatchObject([
      { type: 'long_sleep', average_hrv: null, recovery_readiness_score: null },
      { type: 'acknowledged_nap', total: 1200, timezone_offset: -14_400, average_hrv: 40, recovery_readiness_score: 31 },
    ]);
    expect([...leftOut]).toEqual([['unfinished', 1]]);
  });

  it('is counted when it has no stages, because nothing of it could be stored', async () => {
    const { sleeps, leftOut } = await read([]);
    expect(sleeps).toHaveLength(1);
    expect(leftOut.get('no_value')).toBe(1);
  });
});

it('parses only ranges in the database notation', () => {
  expect(parseDuring("['2026-03-11T03:00:00Z','2026-03-11T03:00:01Z')")).toEqual({ startMs: 1773198000000, endMs: 1773198001000 });
  expect(parseDuring('[2026-03-11T03:00:00Z,)')).toEqual({ startMs: 1773198000000, endMs: null });
  expect(parseDuring("['2026-03-11 03:00:00.5+00','2026-03-11 04:00:00.5+01')")).toEqual({ startMs: 1773198000500, endMs: 1773198000500 });
  expect([`['2026-02-15','2026-02-16')`, '[2026-02-28,2026-03-02)'].map(parseLastDay)).toEqual(['2026-02-15', '2026-03-01']);
  expect(
    ["['2026-02-15')", "['2026-02-30','2026-03-02')", "['2026-02-16','2026-02-16')"].filter((text) => parseLastDay(text) !== undefined),
  ).toEqual([]);
  const unread = ['', '[,)', "['2026-03-11T03:00:00Z']", "['2026-03-11T03:00:00Z','2026-03-10T03:00:00Z')", "['2026-03-11T03:00:00','x')"];
  expect(unread.filter((text) => parseDuring(text) !== undefined)).toEqual([]);
});

it('lets a stage inside another one interrupt it', async () => {
  const event = (type: string, from: string, to: string) => ({ type, during: `['2026-03-11T${from}:00.000Z','2026-03-11T${to}:00.000Z')` });
  const events = [event('LIGHT', '03:00', '10:30'), event('SWS', '04:00', '05:00'), event('REM', '06:00', '06:30')];
  const { records } = await run('cycles', await responses({ 'sleep-events': events }));
  const cycle = records.find((one) => one.kind === 'summary' && one.resource === 'sleep_cycle');
  expect(cycle).toMatchObject({
    data: {
      stage_type: [2, 1, 2, 3, 2],
      stage_start_offset_second: [0, 3600, 7200, 10_800, 12_600],
      stage_end_offset_second: [3600, 7200, 10_800, 12_600, 27_000],
    },
  });
});
