import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { application, errorTypeOf, startSimulator, type Tokens } from './client.ts';

let started: Awaited<ReturnType<typeof startSimulator>>;
let tokens: Tokens;
beforeAll(async () => {
  started = await startSimulator({ requestsPerHour: 10_000 });
  tokens = await started.exchange();
});
afterAll(() => started.simulator.close());

const user = '/1/user/-';
const get = <T>(path: string, init?: { headers: Record<string, string> }) => started.read<T>(path, tokens, init);
const us = { headers: { 'accept-language': 'en_US' } };

interface Workouts {
  activities: { logId: number; startTime: string; distance: number; distanceUnit: string; tcxLink: string }[];
  pagination: { next: string; previous: string };
}
const listPath = (query: string) => `${user}/activities/list.json?${query}`;

describe('workouts', () => {
  async function walk(query: string): Promise<Workouts['activities']> {
    const found: Workouts['activities'] = [];
    for (let next = listPath(query); next !== '';) {
      const page = await get<Workouts>(next);
      found.push(...page.activities);
      next = page.pagination.next;
    }
    return found;
  }

  test('following pagination.next returns each workout once, for any page size', async () => {
    const all = await walk('afterDate=2026-01-01&sort=asc&limit=100&offset=0');
    expect(all.length).toBeGreaterThan(5);
    for (const limit of [1, 2, all.length]) expect(await walk(`afterDate=2026-01-01&sort=asc&limit=${limit}&offset=0`)).toEqual(all);
    expect(new Set(all.map((workout) => workout.logId)).size).toBe(all.length);
    const backwards = await walk('beforeDate=2026-12-01&sort=desc&limit=3&offset=0');
    expect(backwards).toEqual(all.toReversed());
  });

  test.each([
    'sort=asc&limit=10&offset=0',
    'afterDate=2026-11-01&beforeDate=2026-11-02&sort=asc&limit=10&offset=0',
    'afterDate=2026-11-01&sort=desc&limit=10&offset=0',
    'afterDate=2026-11-01&sort=asc&limit=10&offset=10',
    'afterDate=2026-11-01&sort=asc&limit=101&offset=0',
  ])('a list requested with %s is rejected', async (query) => {
    const response = await started.api(listPath(query), tokens);
    expect([response.status, await errorTypeOf(response)]).toEqual([400, 'validation']);
  });

  test('start times carry the offset, distances follow the language, the track is XML', async () => {
    const query = 'afterDate=2026-01-01&sort=asc&limit=1&offset=0';
    const [metric] = (await get<Workouts>(listPath(query))).activities;
    const [miles] = (await get<Workouts>(listPath(query), us)).activities;
    expect(metric?.startTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000-0[45]:00$/);
    expect([metric?.distanceUnit, miles?.distanceUnit]).toEqual(['Kilometer', 'Mile']);
    expect((metric?.distance ?? 0) / (miles?.distance ?? 1)).toBeCloseTo(1.609, 2);
    const track = await (await started.api(metric?.tcxLink ?? '', tokens)).text();
    expect(track).toContain('<HeartRateBpm>');
  });
});

describe('ranges', () => {
  test.each([
    [`${user}/hrv/date/2026-10-01/2026-10-31.json`, 400],
    [`${user}/hrv/date/2026-10-01/2026-10-30.json`, 200],
    ['/1.2/user/-/sleep/date/2026-01-01/2026-04-10.json', 200],
    ['/1.2/user/-/sleep/date/2026-01-01/2026-04-11.json', 400],
    [`${user}/body/log/weight/date/2026-10-01/2026-11-01.json`, 400],
    [`${user}/activities/activityCalories/date/2026-10-01/2026-10-31.json`, 400],
    [`${user}/activities/heart/date/2025-11-20/2026-11-20.json`, 400],
    [`${user}/activities/steps/date/2025-11-20/2026-11-20.json`, 200],
    [`${user}/activities/steps/date/2026-11-20/2026-11-19.json`, 400],
    [`${user}/activities/steps/date/2026-02-30/2026-03-01.json`, 400],
    [`${user}/activities/date/yesterday.json`, 400],
  ])('a range of %s returns %i', async (path, status) => {
    const response = await started.api(path, tokens);
    expect(response.status).toBe(status);
    if (status === 400) expect(await errorTypeOf(response)).toBe('validation');
  });
});

describe('minutes', () => {
  type Steps = {
    'activities-steps': { value: string }[];
    'activities-steps-intraday': { dataset: { time: string; value: number }[]; datasetInterval: number };
  };
  const sum = (points: readonly { value: number }[]) => points.reduce((total, point) => total + point.value, 0);

  test('buckets of any size, the daily total and the summary agree', async () => {
    const { summary } = await get<{ summary: { steps: number } }>(`${user}/activities/date/2026-11-19.json`);
    expect(summary.steps).toBeGreaterThan(0);
    for (const [detail, count] of [
      ['1min', 1440],
      ['5min', 288],
      ['15min', 96],
    ] as const) {
      const response = await get<Steps>(`${user}/activities/steps/date/2026-11-19/1d/${detail}.json`);
      const { dataset, datasetInterval } = response['activities-steps-intraday'];
      expect([dataset.length, datasetInterval, sum(dataset)]).toEqual([count, 1440 / count, summary.steps]);
      expect(response['activities-steps'][0]?.value).toBe(String(summary.steps));
    }
  });

  test('today continues to the present, filled with zeros from where the tracker was last read', async () => {
    const today = await get<Steps>(`${user}/activities/steps/date/2026-11-20/1d/1min.json`);
    const { dataset } = today['activities-steps-intraday'];
    expect(dataset.at(-1)?.time).toBe('14:59:00');
    expect(dataset.filter(({ time, value }) => time >= '14:00:00' && value > 0)).toEqual([]);
    const [device] = await get<{ lastSyncTime: string }[]>(`${user}/devices.json`);
    expect(device?.lastSyncTime).toBe('2026-11-20T14:00:00.000');
  });

  test('heart rate by the second has the recorded readings, and no other resource has seconds', async () => {
    type Heart = { 'activities-heart-intraday': { dataset: { value: number }[]; datasetType: string } };
    const heart = await get<Heart>(`${user}/activities/heart/date/2026-11-19/1d/1sec.json`);
    expect(heart['activities-heart-intraday'].datasetType).toBe('second');
    expect(heart['activities-heart-intraday'].dataset.length).toBeGreaterThan(5000);
    expect((await started.api(`${user}/activities/steps/date/2026-11-19/1d/1sec.json`, tokens)).status).toBe(400);
  });
});

test('every path of the document responds with its shape', async () => {
  const expected: Record<string, object> = {
    [`${user}/profile.json`]: { user: { encodedId: tokens.user_id, timezone: 'America/New_York', offsetFromUTCMillis: -18_000_000 } },
    [`${user}/activities/heart/date/2026-11-19/2026-11-19.json`]: {
      'activities-heart': [{ dateTime: '2026-11-19', value: { restingHeartRate: expect.any(Number) } }],
    },
    [`${user}/hrv/date/2026-11-01/2026-11-20/all.json`]: {
      hrv: expect.arrayContaining([{ dateTime: expect.any(String), minutes: expect.any(Array) }]),
    },
    [`${user}/br/date/2026-11-01/2026-11-20.json`]: {
      br: expect.arrayContaining([{ dateTime: expect.any(String), value: { breathingRate: expect.any(Number) } }]),
    },
    [`${user}/temp/skin/date/2026-11-01/2026-11-20.json`]: {
      tempSkin: expect.arrayContaining([expect.objectContaining({ logType: 'dedicated_temp_sensor' })]),
    },
    [`${user}/cardioscore/date/2026-11-01/2026-11-20.json`]: {
      cardioScore: expect.arrayContaining([{ dateTime: expect.any(String), value: { vo2Max: expect.stringMatching(/^\d\d-\d\d$/) } }]),
    },
    [`${user}/body/log/weight/date/2026-10-25/2026-11-20.json`]: {
      weight: expect.arrayContaining([expect.objectContaining({ weight: 52.6, time: '23:59:59', source: 'API' })]),
    },
    [`${user}/body/log/fat/date/2026-10-25/2026-11-20.json`]: { fat: [expect.objectContaining({ fat: 22 })] },
    [`${user}/foods/log/date/2026-11-19.json`]: { foods: [] },
    [`${user}/foods/log/water/date/2026-11-19.json`]: { summary: { water: 0 } },
    [`${user}/ecg/list.json?afterDate=2026-11-01&sort=asc&limit=10&offset=0`]: { ecgReadings: expect.any(Array) },
    [`${user}/irn/alerts/list.json?afterDate=2026-11-01&sort=asc&limit=10&offset=0`]: { alerts: expect.any(Array) },
    ['/1.2/user/-/sleep/list.json?afterDate=2026-11-01&sort=asc&limit=5&offset=0']: { pagination: { limit: 5 } },
  };
  for (const [path, shape] of Object.entries(expected)) expect(await get(path), path).toMatchObject(shape);
  const spo2 = await get<object[]>(`${user}/spo2/date/2026-11-01/2026-11-20.json`);
  expect(spo2[0]).toMatchObject({ value: { avg: expect.any(Number) } });
  expect((await started.api(`${user}/nothing.json`, tokens)).status).toBe(404);
  expect((await started.api('/1/user/OTHER1/profile.json', tokens)).status).toBe(403);
  for (const resource of [
    'distance',
    'floors',
    'elevation',
    'calories',
    'caloriesBMR',
    'minutesSedentary',
    'minutesLightlyActive',
    'minutesFairlyActive',
    'minutesVeryActive',
  ]) {
    const series = await get<Record<string, { value: string }[]>>(`${user}/activities/${resource}/date/2026-11-10/2026-11-19.json`);
    expect(series[`activities-${resource}`]?.length).toBe(10);
    expect(Number(series[`activities-${resource}`]?.[9]?.value)).toBeGreaterThan(0);
  }
});

test('without the intraday permission minutes are forbidden but days are not', async () => {
  const other = await startSimulator({ applications: [{ ...application, hasIntraday: false }] });
  const theirs = await other.exchange();
  expect(await errorTypeOf(await other.api(`${user}/activities/steps/date/2026-11-19/1d/1min.json`, theirs))).toBe(
    'insufficient_permissions',
  );
  expect((await other.api(`${user}/activities/steps/date/2026-11-19/2026-11-19.json`, theirs)).status).toBe(200);
  expect(await errorTypeOf(await other.api(`${user}/hrv/date/2026-11-18/2026-11-19/all.json`, theirs))).toBe('insufficient_permissions');
  expect((await other.api(`${user}/hrv/date/2026-11-18/2026-11-19.json`, theirs)).status).toBe(200);
  await other.simulator.close();
});

test('electrocardiograms and rhythm alerts are deterministic and never precede their reading', async () => {
  interface Ecg {
    ecgReadings: { startTime: string; waveformSamples: number[]; numberOfWaveformSamples: number }[];
  }
  const path = `${user}/ecg/list.json?afterDate=2026-10-01&sort=asc&limit=10&offset=0`;
  const { ecgReadings } = await get<Ecg>(path);
  expect(ecgReadings.length).toBeGreaterThan(0);
  expect(ecgReadings.every((reading) => reading.waveformSamples.length === reading.numberOfWaveformSamples)).toBe(true);
  expect(ecgReadings.map((reading) => reading.startTime)).toEqual(ecgReadings.map((reading) => reading.startTime).toSorted());
  expect((await get<Ecg>(path)).ecgReadings).toEqual(ecgReadings);
  const alerts = await get<{ alerts: unknown[] }>(`${user}/irn/alerts/list.json?afterDate=2026-01-01&sort=asc&limit=10&offset=0`);
  expect(alerts.alerts.length).toBeGreaterThan(0);
});
