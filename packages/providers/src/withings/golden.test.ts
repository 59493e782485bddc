import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { goldenText } from '../kit/testing/golden-text.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import type { PulledPage, PullSpec } from '../kit/types/connector.ts';
import { withings } from './connector.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapIntraday } from './mappers/map-intraday.ts';
import { mapMeasures, mapProfile } from './mappers/map-measures.ts';
import { mapWorkouts } from './mappers/map-workouts.ts';
import { withingsPulls } from './pulls/all.ts';
import { heartPull } from './pulls/heart.ts';
import { intradayPull } from './pulls/intraday.ts';
import { sleepPull } from './pulls/sleep.ts';
import { createContext } from './withings.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '363',
  grantedScopes: [],
  account: { time_zone: 'Europe/Paris' },
};
const window = { startDate: '2025-05-01', endDate: '2025-05-01' };
const context = createContext(user);

describeMappers(import.meta.url, {
  measures: (body) => mapMeasures(body, window, context),
  profile: (body) => mapProfile(body, context),
  activity: (body) => mapActivity(body, window, context),
  intraday: (body) => mapIntraday(body, context),
  workouts: (body) => mapWorkouts(body, window, context),
});

type Form = Readonly<Record<string, string>>;
const done = (body: object) => ({ status: 0, body });

async function pullOf(pull: PullSpec | undefined, respond: (form: Form) => unknown, over = window, now?: Date) {
  const http = createFakeHttp(({ form = {} }) => respond(form));
  const pages: PulledPage[] = [];
  const call = { http, user, window: over, signal: AbortSignal.timeout(10_000), ...(now && { now }) };
  for await (const page of pull?.pull(call) ?? []) pages.push(page);
  return { pages, forms: http.calls.map(({ form = {} }) => form) };
}

const night = {
  id: 77,
  timezone: 'Europe/Paris',
  model: 16,
  startdate: 1_746_049_200,
  enddate: 1_746_075_600,
  date: '2025-05-01',
  data: {
    lightsleepduration: 14_400,
    deepsleepduration: 6000,
    remsleepduration: 5400,
    wakeupduration: 600,
    sleep_efficiency: 0.97,
    hr_average: 54,
    hr_min: 47,
    rr_average: 14,
    sleep_score: 82,
    apnea_hypopnea_index: 4,
  },
};
const stretches = [
  { startdate: 1_746_049_200, enddate: 1_746_049_800, state: 0, hr: { 1746049200: 60 }, rr: [], rmssd: {} },
  { startdate: 1_746_049_800, enddate: 1_746_060_000, state: 1, hr: { 1746049800: 55 }, rr: { 1746049800: 14 }, rmssd: { 1746049800: 41 } },
  { startdate: 1_746_060_000, enddate: 1_746_075_600, state: 15, hr: {}, rr: {}, rmssd: { 1746060000: 44 } },
];
const nights = (summary: object) => (form: Form) =>
  done(form['action'] === 'getsummary' ? { series: [summary], more: false, offset: 0 } : { series: stretches, model: 16 });

describe('the source of a record', () => {
  const typesOf = (measures: readonly object[], modelid: unknown, attrib = 0) => {
    const group = { grpid: 1, attrib, date: 1_746_090_000, category: 1, modelid, measures };
    const { records } = mapMeasures({ body: { measuregrps: [group] } }, window, context);
    return records.flatMap((record) => ('source' in record ? [record.source.type] : []));
  };
  const pulse = [{ type: 11, value: 62, unit: 0 }];

  it('of a group with only a pulse is the device of its model', () => {
    expect([6, 45, 93, 60, null, 999, 'Body'].map((model) => typesOf(pulse, model)[0])).toEqual([
      'scale',
      'cuff',
      'watch',
      'unknown',
      'watch',
      'watch',
      'watch',
    ]);
    expect(typesOf(pulse, 6, 2)).toEqual(['app']);
  });

  it('of a workout without a device is the app that relayed it', () => {
    const typeOf = (more: object) => {
      const row = { id: 1, category: 1, startdate: 1_746_090_000, enddate: 1_746_090_600, data: {}, ...more };
      const [record] = mapWorkouts({ body: { series: [row] } }, window, context).records;
      return record?.kind === 'summary' ? record.source.type : null;
    };
    expect(
      [{ model: 1055, deviceid: null }, { deviceid: null }, { model: 1057, deviceid: null }, { model: 59, deviceid: 'cd' }, {}].map(typeOf),
    ).toEqual(['app', 'app', 'phone', 'watch', 'watch']);
  });
});

describe('Withings nights', () => {
  it('combine the summary and the details of the same night', async () => {
    const { pages, forms } = await pullOf(sleepPull, nights(night));
    expect(forms[1]).toMatchObject({ action: 'get', startdate: '1746049200', enddate: '1746075600', data_fields: 'hr,rr,rmssd' });
    expect(new Set(pages.map(({ version }) => version))).toEqual(new Set([1n]));
    const records = pages.flatMap((page) => page.records);
    expect(unsoundRecords(records)).toEqual([]);
    await expect(goldenText(records, 1).trimEnd()).toMatchFileSnapshot('fixtures/sleep.expected.json');
  });

  it('skip what another device recorded in the same hours', async () => {
    const [first = {}, ...rest] = stretches.map((stretch) => ({ ...stretch, hash_deviceid: 'watch' }));
    const both = [first, { ...first, hash_deviceid: 'mat', state: 2, hr: { 1746049200: 99 }, rmssd: { 1746049200: 99 } }, ...rest];
    const response = ({ action }: Form) =>
      done(action === 'getsummary' ? { series: [{ ...night, hash_deviceid: 'watch' }], more: false } : { series: both, model: 16 });
    const alone = await pullOf(sleepPull, nights({ ...night, hash_deviceid: 'watch' }));
    expect((await pullOf(sleepPull, response)).pages).toEqual(alone.pages);
  });

  it('include the heart rate of a mat, which has no other, but not that of a watch', async () => {
    const heartOf = async (model: number) => {
      const { pages } = await pullOf(sleepPull, nights({ ...night, model }));
      return pages.flatMap(({ records }) => records).filter(({ resource }) => resource === 'heartrate');
    };
    expect(await heartOf(16)).toEqual([]);
    expect(await heartOf(32)).toMatchObject([{ source: { type: 'unknown' }, samples: [{ value: 60 }, { value: 55 }] }]);
  });
});

describe('Withings services', () => {
  it('are read page by page while `more` is true or 1', async () => {
    for (const more of [true, 1]) {
      const response = ({ offset }: Form) => done({ measuregrps: [], activities: [], ...(offset ? { more: 0 } : { more, offset: 20 }) });
      const { forms } = await pullOf(
        withingsPulls.find(({ name }) => name === 'measures'),
        response,
      );
      expect(forms.map(({ offset }) => offset)).toEqual([undefined, '20']);
    }
  });

  it('return changes of any date for a window that reaches the present', async () => {
    const body: unknown = JSON.parse(await readFile(new URL('fixtures/measures.json', import.meta.url), 'utf8'));
    const measures = withingsPulls.find(({ name }) => name === 'measures');
    const live = { startDate: '2025-05-17', endDate: '2025-05-20' };
    const now = new Date('2025-05-20T20:00:00Z');
    const { forms, pages } = await pullOf(measures, () => body, live, now);
    expect(forms).toEqual([expect.objectContaining({ action: 'getmeas', lastupdate: String(Date.parse('2025-05-16T10:00:00Z') / 1000) })]);
    expect(forms[0]).not.toHaveProperty('startdate');
    expect(pages.flatMap(({ records }) => records)).toEqual(mapMeasures(body, window, context).records);
    for (const [history, at] of [
      [{ startDate: '2025-02-20', endDate: '2025-05-20' }, now],
      [live, new Date('2025-05-20T22:00:01Z')],
    ] as const) {
      const old = await pullOf(measures, () => body, history, at);
      expect(old.forms[0]).not.toHaveProperty('lastupdate');
    }
  });

  it('return the details of a night that was changed long afterwards', async () => {
    const live = { startDate: '2025-05-17', endDate: '2025-05-20' };
    const { forms, pages } = await pullOf(sleepPull, nights(night), live, new Date('2025-05-20T20:00:00Z'));
    expect(forms.map(({ action }) => action)).toEqual(['getsummary', 'get']);
    expect(pages.flatMap(({ records }) => records)[0]).toMatchObject({ resource: 'sleep', calendarDate: '2025-05-01' });
  });

  it('take two requests for a day of 25 hours, because longer ranges are cut', async () => {
    const autumn = { startDate: '2025-10-26', endDate: '2025-10-26' };
    const { forms, pages } = await pullOf(intradayPull, () => done({ series: [] }), autumn);
    const spans = forms.map(({ startdate, enddate }) => (Number(enddate) - Number(startdate)) / 3600);
    expect(spans).toEqual([24, 1]);
    expect(pages.flatMap(({ quarantined }) => quarantined)).toEqual([]);
  });

  it('return an electrocardiogram with its voltages in mV', async () => {
    const row = {
      deviceid: 'cd',
      model: 44,
      ecg: { signalid: 5, afib: 1 },
      heart_rate: 61,
      timestamp: 1_746_090_000,
      timezone: 'Europe/Paris',
    };
    const pressure = { bloodpressure: { diastole: 79, systole: 121 }, timestamp: 1_746_090_000 };
    const response = ({ action }: Form) =>
      done(action === 'list' ? { series: [row, pressure], more: false } : { signal: [0, 250, -125], sampling_frequency: 300 });
    const { pages } = await pullOf(heartPull, response);
    const records = pages.flatMap((page) => page.records);
    expect(unsoundRecords(records)).toEqual([]);
    expect(records).toMatchObject([
      {
        source: { type: 'cuff' },
        data: { classification: 'atrial_fibrillation', voltage_sample_count: 3, sampling_frequency_hz: 300, heart_rate_mean: 61 },
      },
      {
        source: { type: 'cuff' },
        subKind: 'lead_1',
        samples: [{ value: 0 }, { value: 0.25, ts: 1_746_090_000_003 }, { value: -0.125, ts: 1_746_090_000_007 }],
      },
    ]);
  });
});

it('reads ninety days of history, but heights of any age', () => {
  const depths = withingsPulls.filter(({ name }) => name !== 'profile').map(({ backfillDays }) => backfillDays);
  expect(new Set([withings.backfillDays, ...depths])).toEqual(new Set([90]));
});

it('converts measures to exactly the values of the scale', async () => {
  const body: unknown = JSON.parse(await readFile(new URL('fixtures/measures.json', import.meta.url), 'utf8'));
  const weights = mapMeasures(body, window, context).records.flatMap((record) =>
    record.kind === 'samples' && record.resource === 'weight' ? record.samples.map(({ value }) => [record.source.type, value]) : [],
  );
  expect(weights).toEqual([
    ['scale', 72.345],
    ['app', 72],
  ]);
});
