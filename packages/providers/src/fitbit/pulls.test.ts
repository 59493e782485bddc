import { utcDay } from '@pulsewire/kernel';
import { describe, expect, it } from 'vitest';
import { splitWindow } from '../kit/time/days.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import type { PulledPage, PullSpec, PullUser, PullWindow } from '../kit/types/connector.ts';
import { fitbit } from './connector.ts';
import { activityPull } from './pulls/activity.ts';
import { caloriesPull, stepsPull } from './pulls/movement.ts';
import { ecgPull } from './pulls/heart.ts';
import { foodsPull } from './pulls/body.ts';
import { sleepPull } from './pulls/nights.ts';
import { workoutsPull, workoutStreamsPull } from './pulls/workouts.ts';

const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'ABC123',
  grantedScopes: fitbit.oauth?.scopes ?? [],
  account: { time_zone: 'UTC' },
};

type Responses = (path: string) => unknown;

async function run(
  pull: PullSpec,
  window: PullWindow,
  responses: Responses,
  as: PullUser = user,
): Promise<{ pages: PulledPage[]; paths: string[] }> {
  const http = createFakeHttp(({ path, query }) => {
    const body = responses(query === undefined ? path : `${path}?${new URLSearchParams(query).toString()}`);
    if (body instanceof Error) throw body;
    return body;
  });
  const pages: PulledPage[] = [];
  for await (const page of pull.pull({ http, user: as, window, signal: new AbortController().signal })) pages.push(page);
  return { pages, paths: http.paths };
}

const days = (count: number): PullWindow => ({
  startDate: '2025-05-01',
  endDate: utcDay(Date.UTC(2025, 4, count)),
});
const scopeMissing = (): Error => providerError('provider_scope_missing', { status: 403 });

describe('activity', () => {
  const daySummary = {
    summary: {
      steps: 8042,
      caloriesOut: 2400,
      activityCalories: 900,
      floors: 9,
      distances: [{ activity: 'total', distance: 5.91 }],
      lightlyActiveMinutes: 200,
      fairlyActiveMinutes: 20,
      veryActiveMinutes: 31,
      restingHeartRate: 61,
    },
  };
  const figures: Record<string, unknown> = {
    steps: '8042',
    distance: '5.90923',
    floors: '9',
    calories: '2400',
    activityCalories: '900',
    minutesLightlyActive: '200',
    minutesFairlyActive: '20',
    minutesVeryActive: '31',
    heart: { restingHeartRate: 61 },
  };
  const range: Responses = (path) => {
    const [, series = '', start] = /activities\/(\w+)\/date\/([\d-]+)\/([\d-]+)\.json$/.exec(path) ?? [];
    return { [`activities-${series}`]: [{ dateTime: start, value: figures[series] }] };
  };

  it('requests the few days of a live pull one by one', async () => {
    const { paths, pages } = await run(activityPull, days(3), () => daySummary);
    expect(paths).toEqual(['01', '02', '03'].map((day) => `/1/user/-/activities/date/2025-05-${day}.json`));
    expect(pages.map((page) => page.version)).toEqual([1n, 2n, 3n]);
  });

  it('requests 90 days of history in 11 calls, active calories 30 days at a time as Fitbit allows', async () => {
    const { paths } = await run(activityPull, { startDate: '2025-02-01', endDate: '2025-05-01' }, range);
    expect(paths).toHaveLength(11);
    expect(paths[0]).toBe('/1/user/-/activities/steps/date/2025-02-01/2025-05-01.json');
    expect(paths).toContain('/1/user/-/activities/activityCalories/date/2025-02-01/2025-03-02.json');
  });

  it('produces the same record of a day from the day summary and from the range series', async () => {
    const byDay = await run(activityPull, days(1), () => daySummary);
    const byRange = await run(activityPull, days(20), range);
    const [fromRange, fromDay] = [byRange, byDay].map(({ pages }) => ({ ...pages[0]?.records[0], raw: undefined }));
    expect(fromRange).toEqual(fromDay);
  });

  it('has the version of its oldest response', async () => {
    expect((await run(activityPull, days(20), range)).pages.map((page) => page.version)).toEqual([1n]);
  });

  it('skips the heart series when that scope was not granted', async () => {
    const { paths } = await run(activityPull, days(20), range, { ...user, grantedScopes: ['activity'] });
    expect(paths.some((path) => path.includes('/heart/'))).toBe(false);
  });
});

describe('minutes', () => {
  const minutes: Responses = () => ({
    'activities-steps-intraday': { dataset: [{ time: '23:59:00', value: 4 }] },
    'activities-steps': [{ dateTime: '2025-05-01', value: '4' }],
  });

  it('take one call and one page per day', async () => {
    const { paths, pages } = await run(stepsPull, days(2), minutes);
    expect(paths).toEqual([
      '/1/user/-/activities/steps/date/2025-05-01/1d/1min.json',
      '/1/user/-/activities/steps/date/2025-05-02/1d/1min.json',
    ]);
    expect(pages).toHaveLength(2);
  });

  it('are replaced by the day’s total when they are not granted', async () => {
    const { pages } = await run(stepsPull, days(1), (path) =>
      path.includes('1min') ? scopeMissing() : { 'activities-steps': [{ dateTime: '2025-05-01', value: '8042' }] },
    );
    expect(pages[0]?.records).toMatchObject([{ samples: [{ ts: Date.UTC(2025, 4, 1), end: Date.UTC(2025, 4, 2), value: 8042 }] }]);
  });

  it('fail when the total is not granted either, and on any other error', async () => {
    await expect(run(stepsPull, days(1), scopeMissing)).rejects.toMatchObject({ code: 'provider_scope_missing' });
    const limitedForMinutes: Responses = (path) => (path.includes('1min') ? providerError('provider_rate_limited', {}) : {});
    await expect(run(stepsPull, days(1), limitedForMinutes)).rejects.toMatchObject({ code: 'provider_rate_limited' });
  });
});

describe('calories', () => {
  const basal = {
    'activities-caloriesBMR': [
      { dateTime: '2025-04-30', value: '1440' },
      { dateTime: '2025-05-01', value: '600' },
    ],
  };
  const minutes = { 'activities-calories-intraday': { dataset: [{ time: '08:00:00', value: 5 }] } };

  it('exclude the basal rate of the previous day, which no longer changes', async () => {
    const { pages, paths } = await run(caloriesPull, days(1), (path) => (path.includes('BMR') ? basal : minutes));
    expect(pages[0]?.records).toMatchObject([{ resource: 'calories_active', samples: [{ value: 4 }] }]);
    expect(paths[0]).toBe('/1/user/-/activities/caloriesBMR/date/2025-04-30/2025-05-01.json');
  });

  it('are the day’s total when minutes or the basal rate are missing', async () => {
    const totals = { 'activities-activityCalories': [{ dateTime: '2025-05-01', value: '900' }] };
    const withoutMinutes = await run(caloriesPull, days(1), (path) => (path.includes('BMR') ? basal : path.includes('1min') ? {} : totals));
    const withoutBasal = await run(caloriesPull, days(1), (path) =>
      path.includes('BMR') ? { 'activities-caloriesBMR': [] } : path.includes('1min') ? minutes : totals,
    );
    for (const { pages } of [withoutMinutes, withoutBasal]) expect(pages[0]?.records).toMatchObject([{ samples: [{ value: 900 }] }]);
  });
});

describe('workouts', () => {
  const workout = (logId: number, day: string) => ({
    logId,
    activityName: 'Run',
    startTime: `${day}T08:00:00.000+00:00`,
    duration: 60_000,
  });
  const page = (next: string, ...activities: unknown[]) => ({ activities, pagination: { next } });

  it('follow Fitbit’s links to the last page, from two days before the window', async () => {
    const { paths, pages } = await run(workoutsPull, days(9), (path) =>
      path.includes('page=2')
        ? page('', workout(2, '2025-05-02'))
        : page('https://api.fitbit.com/1/user/-/activities/list.json?page=2', workout(1, '2025-05-01')),
    );
    expect(paths).toEqual([
      '/1/user/-/activities/list.json?afterDate=2025-04-29&sort=asc&limit=100&offset=0',
      'https://api.fitbit.com/1/user/-/activities/list.json?page=2',
    ]);
    expect(pages.flatMap((one) => one.records)).toHaveLength(2);
  });

  it('are complete in the days that a page lists entirely, also in a list of several pages', async () => {
    const { pages } = await run(workoutsPull, days(9), (path) =>
      path.includes('page=2')
        ? page('', workout(3, '2025-05-05'), workout(4, '2025-05-07'))
        : page('https://api.fitbit.com/1/user/-/activities/list.json?page=2', workout(1, '2025-05-01'), workout(2, '2025-05-04')),
    );
    const complete = pages.map(({ allOf }) => allOf?.map((range) => (range.kind === 'summaries' ? [range.startDate, range.endDate] : [])));
    expect(complete).toEqual([[['2025-05-01', '2025-05-03']], [['2025-05-06', '2025-05-09']]]);
  });

  it('stop after the window', async () => {
    const { paths, pages } = await run(workoutsPull, days(1), () => page('/next', workout(1, '2025-05-01'), workout(2, '2025-05-02')));
    expect(paths).toHaveLength(1);
    expect(pages[0]?.records).toHaveLength(1);
  });

  it('fail as a transient error when Fitbit’s links never end', async () => {
    const endless = run(workoutsPull, days(1), () => page('/again', workout(1, '2025-05-01')));
    await expect(endless).rejects.toMatchObject({ code: 'provider_transient', details: { reason: 'endless_pages' } });
  });

  const tcx = `<TrainingCenterDatabase><Trackpoint><Time>2025-05-01T08:00:00Z</Time><HeartRateBpm><Value>120</Value></HeartRateBpm></Trackpoint></TrainingCenterDatabase>`;

  it('have their track read as a stream, except manually entered ones', async () => {
    const typedIn = { ...workout(2, '2025-05-01'), logType: 'manual' };
    const { paths, pages } = await run(workoutStreamsPull, days(1), (path) =>
      path.endsWith('.tcx') ? Buffer.from(tcx) : page('', workout(1, '2025-05-01'), typedIn),
    );
    expect(paths.filter((path) => path.endsWith('.tcx'))).toEqual(['/1/user/-/activities/1.tcx']);
    expect(pages.flatMap(({ records }) => records)).toMatchObject([
      { kind: 'stream', providerId: '1', sport: { slug: 'running' }, data: { time: [1_746_086_400], heartrate: [120] } },
    ]);
    expect(unsoundRecords(pages.flatMap(({ records }) => records))).toEqual([]);
  });

  it('have no stream without a track; a response that is not TCX is retried', async () => {
    const read = (file: string) =>
      run(workoutStreamsPull, days(1), (path) => (path.endsWith('.tcx') ? Buffer.from(file) : page('', workout(1, '2025-05-01'))));
    expect((await read('<TrainingCenterDatabase/>')).pages[0]?.records).toEqual([]);
    const cut = await read(tcx.slice(0, -40));
    expect(cut.pages[0]?.quarantined).toEqual([{ resource: 'workout_stream', reason: 'cut_off', pointer: '/file' }]);
    await expect(read('<html>')).rejects.toMatchObject({ code: 'provider_transient' });
  });
});

describe('electrocardiograms', () => {
  it('are read in pages of ten, following the links', async () => {
    const reading = { startTime: '2025-05-01T17:12:30.222', waveformSamples: [1, 2], samplingFrequencyHz: '250', scalingFactor: 10 };
    const { paths, pages } = await run(ecgPull, days(2), (path) =>
      path.includes('page=2')
        ? { ecgReadings: [], pagination: { next: '' } }
        : { ecgReadings: [reading], pagination: { next: 'https://api.fitbit.com/1/user/-/ecg/list.json?page=2' } },
    );
    expect(paths[0]).toBe('/1/user/-/ecg/list.json?afterDate=2025-04-29&sort=asc&limit=10&offset=0');
    expect(paths).toHaveLength(2);
    expect(pages[0]?.records.map(({ resource }) => resource)).toEqual(['electrocardiogram', 'electrocardiogram_voltage']);
  });
});

describe('ranges', () => {
  it('are split into what one call covers', async () => {
    const { paths } = await run(sleepPull, { startDate: '2025-01-01', endDate: '2025-04-20' }, () => ({ sleep: [] }));
    expect(paths).toEqual(['/1.2/user/-/sleep/date/2025-01-01/2025-04-10.json', '/1.2/user/-/sleep/date/2025-04-11/2025-04-20.json']);
  });

  it('of food are requested day by day', async () => {
    expect((await run(foodsPull, days(2), () => ({ foods: [], summary: { water: 0 } }))).paths).toHaveLength(2);
  });
});

describe('the whole history of a user', () => {
  it('fits within an hour’s quota, except for streams', async () => {
    const callsOf = async (pull: PullSpec): Promise<number> => {
      const end = Date.UTC(2025, 4, 1);
      const startDate = utcDay(end - pull.backfillDays * 86_400_000);
      const windows = [
        ...splitWindow({ startDate, endDate: '2025-04-30' }, pull.chunkDays),
        { startDate: '2025-05-01', endDate: '2025-05-01' },
      ];
      const runs = await Promise.all(windows.map((window) => run(pull, window, fullDays)));
      return runs.reduce((sum, { paths }) => sum + paths.length, 0);
    };
    const counts = await Promise.all(fitbit.pulls.filter(({ runsLast }) => runsLast !== true).map(callsOf));
    const accountCalls = 2;
    expect(counts.reduce((sum, count) => sum + count, accountCalls)).toBeLessThanOrEqual(fitbit.quotas[0]?.requests ?? 0);
  });

  it('requests foods only for the days that have any', async () => {
    const { paths, pages } = await run(foodsPull, days(20), (path) => {
      if (path.includes('caloriesIn'))
        return {
          'foods-log-caloriesIn': [
            { dateTime: '2025-05-03', value: '700' },
            { dateTime: '2025-05-04', value: '0' },
          ],
        };
      return path.includes('/water/')
        ? { 'foods-log-water': [{ dateTime: '2025-05-04', value: '250' }] }
        : { foods: [], summary: { water: 0 } };
    });
    expect(paths.map((path) => path.replace('/1/user/-/foods/log/', ''))).toEqual([
      'caloriesIn/date/2025-05-01/2025-05-20.json',
      'water/date/2025-05-01/2025-05-20.json',
      'date/2025-05-03.json',
    ]);
    expect(pages.flatMap(({ records }) => records)).toMatchObject([
      { resource: 'water', samples: [{ value: 250 }] },
      { resource: 'water' },
    ]);
  });
});

/** Basal rates, without which calorie minutes are not requested. */
function fullDays(path: string): unknown {
  if (!path.includes('caloriesBMR')) return path.includes('1min') ? { 'activities-calories-intraday': { dataset: [] } } : {};
  const dates = Array.from({ length: 120 }, (_, back) => utcDay(Date.UTC(2025, 4, 1) - back * 86_400_000));
  return { 'activities-caloriesBMR': dates.map((dateTime) => ({ dateTime, value: '1440' })) };
}
