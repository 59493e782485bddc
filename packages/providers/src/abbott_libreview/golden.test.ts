import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { silentLosses } from '../kit/testing/silent-losses.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import { readLibreviewAccount } from './account.ts';
import { classifyLibreview, findLibreviewRefusal } from './classify.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { createContext } from './libreview.ts';
import { parseLibreTime } from './libre-time.ts';
import { mapGraph, mapLogbook } from './map-glucose.ts';
import { libreviewPulls } from './pulls.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Berlin',
  providerUserId: '3f0c1de5-0000-4000-8000-000000000001',
  grantedScopes: [],
  account: { time_zone: 'Europe/Berlin' },
};
const context = createContext(user);
const window = { startDate: '2026-03-12', endDate: '2026-03-12' };
const fileUrl = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
const mappers = { graph: mapGraph, logbook: mapLogbook };

describe.each(Object.entries(mappers))('%s', (name, map) => {
  it('maps the golden file: wall clocks as UTC without an offset, mg/dL converted to mmol/L', async () => {
    const mapped = map(JSON.parse(await readFile(fileUrl(`${name}.json`), 'utf8')), window, context);
    expect(unsoundRecords(mapped.records)).toEqual([]);
    await expect(`${JSON.stringify(mapped, null, 2)}\n`).toMatchFileSnapshot(fileUrl(`${name}.expected.json`).pathname);
  });

  it('loses no record to an item that it cannot read without setting something aside', async () => {
    const body: unknown = JSON.parse(await readFile(fileUrl(`${name}.json`), 'utf8'));
    expect(silentLosses((changed) => map(changed, window, context), body)).toEqual([]);
  });

  it.each([undefined, null, 7, 'text', [], {}, { data: null }, { data: [null] }])(
    'produces no record from %j and does not throw',
    (body) => {
      expect(map(body, window, context).records).toEqual([]);
    },
  );
});

it('keeps the later of two readings with the same clock time, in either list order', () => {
  const at = (hourUtc: number, ValueInMgPerDl: number) => ({
    FactoryTimestamp: `10/25/2026 ${hourUtc}:30:00 AM`,
    Timestamp: '10/25/2026 2:30:00 AM',
    ValueInMgPerDl,
  });
  const night = { startDate: '2026-10-25', endDate: '2026-10-25' };
  for (const list of [
    [at(12, 90), at(1, 108)],
    [at(1, 108), at(12, 90)],
  ]) {
    for (const { records } of [mapLogbook({ data: list }, night, context), mapGraph({ data: { graphData: list } }, night, context)])
      expect(records).toMatchObject([
        { samples: [{ ts: Date.parse('2026-10-25T02:30:00Z'), value: expect.closeTo(108 / 18.0182, 3), timezoneOffset: null }] },
      ]);
  }
});

it('parses only 12-hour clock times', () => {
  const hourOf = (text: string) => new Date(parseLibreTime(text) ?? Number.NaN).getUTCHours();
  expect(['3/8/2026 12:00:00 AM', '3/8/2026 1:00:00 AM', '3/8/2026 12:00:00 PM', '12/31/2026 11:00:00 PM'].map(hourOf)).toEqual([
    0, 1, 12, 23,
  ]);
  const unread = ['3/8/2026 13:00:00 PM', '3/8/2026 0:00:00 AM', '2/30/2026 1:00:00 AM', '3/8/2026 1:00:00', '2026-03-08T01:00:00'];
  expect(unread.filter((text) => parseLibreTime(text) !== undefined)).toEqual([]);
});

describe('the followed patient', () => {
  const person = (patientId: string) => ({
    patientId,
    glucoseMeasurement: { FactoryTimestamp: '3/12/2026 4:02:11 PM', Timestamp: '3/12/2026 9:31:50 PM' },
  });
  const accountOf = (data: unknown) =>
    readLibreviewAccount({ http: createFakeHttp(() => ({ status: 0, data })), grantedScopes: [], previous: { region: 'eu' } });

  it('is the only one of the account; the two clocks of a reading determine the time zone', async () => {
    expect((await accountOf([person('patient-1')])).account).toEqual({ region: 'eu', patient_id: 'patient-1', time_zone: 'Etc/GMT-6' });
    expect((await accountOf([])).account).toEqual({ region: 'eu', patient_id: null });
  });

  it('is rejected when the account follows several people', async () => {
    await expect(accountOf([person('patient-1'), person('patient-2')])).rejects.toMatchObject({ code: 'provider_account_state' });
  });

  it('is looked up by a pull while it is unknown', async () => {
    const http = createFakeHttp(({ path }) =>
      path === '/llu/connections' ? { status: 0, data: [person('patient-1')] } : { status: 0, data: [] },
    );
    const [, logbook] = libreviewPulls;
    const pages = logbook?.pull({ http, user, window, signal: AbortSignal.timeout(60_000) });
    let count = 0;
    for await (const page of pages ?? []) count += page.records.length + 1;
    expect(count).toBe(1);
    expect(http.paths).toEqual(['/llu/connections', '/llu/connections/patient-1/logbook']);
  });
});

describe('a patient', () => {
  const patient = { ...user, account: { account_type: 'patient', patient_id: user.providerUserId, time_zone: 'Etc/GMT-14' } };
  const page = '<script>window.report = {"Data":{"Days":[{"Glucose":[[{"Timestamp":1773273600,"Value":101}]]}]}};</script>';
  const http = () =>
    createFakeHttp(({ path }) => {
      if (path === '/reportSettings') return { status: 0, data: { dataSources: { app: { type: 40_068, daysData: [1] } } } };
      if (path === '/reports') return { status: 0, data: { url: '/channel' }, ticket: { token: 'newest' } };
      if (path === '/channel') return { data: { lp: '/poll' } };
      return path === '/poll' ? { operation: 'update', args: { urls: { 5: '/report' } } } : Buffer.from(page);
    });

  it('is read by the daily log alone, 90 days back, and a follower never', async () => {
    const read = async (account: typeof user.account) => {
      const fake = http();
      const found: unknown[] = [];
      for (const pull of libreviewPulls)
        for await (const one of pull.pull({ http: fake, user: { ...user, account }, window, signal: AbortSignal.timeout(60_000) }))
          found.push(...one.records);
      return { found, paths: fake.paths };
    };
    const { found, paths } = await read(patient.account);
    expect(paths).toEqual(['/reportSettings', '/reports', '/channel', '/poll', '/report?session=newest']);
    const reading = { ts: Date.parse('2026-03-12T00:00:00Z'), value: expect.closeTo(5.605, 2), timezoneOffset: null };
    expect(found).toMatchObject([{ resource: 'glucose', source: { type: 'automatic' }, samples: [reading] }]);
    expect((await read({ ...user.account, patient_id: 'patient-1' } as typeof user.account)).paths).not.toContain('/reports');
    expect(Math.max(...libreviewPulls.map(({ backfillDays }) => backfillDays))).toBe(90);
  });

  it('keeps the account facts of the login, without a call', async () => {
    const fake = http();
    const facts = await readLibreviewAccount({ http: fake, grantedScopes: [], previous: patient.account, providerUserId: 'user-1' });
    expect(facts).toEqual({ providerUserId: 'user-1', account: patient.account });
    expect(fake.calls).toEqual([]);
  });
});

describe('rejections', () => {
  it('with status 430 are a limit, and waited for', () => {
    const verdict = classifyLibreview({ status: 430, headers: {}, body: undefined });
    expect(verdict).toEqual({ code: 'provider_rate_limited', retryAfterMs: 1_800_000 });
    expect(classifyLibreview({ status: 430, headers: { 'retry-after': '9' }, body: undefined })).toMatchObject({ retryAfterMs: 9000 });
  });

  const verdictOf = (body: unknown) => findLibreviewRefusal({ status: 200, headers: {}, body });

  it('are found in responses with status 200', () => {
    const locked = { status: 429, data: { code: 60, data: { failures: 3, interval: 60, lockout: 300 }, message: 'locked' } };
    expect(verdictOf({ status: 2, error: { message: 'notAuthenticated' } })).toEqual({ code: 'provider_token_expired' });
    expect(verdictOf({ status: 4, error: { message: 'couldNotLoadPatient' } })).toEqual({ code: 'provider_account_state' });
    expect(verdictOf(locked)).toEqual({ code: 'provider_rate_limited', retryAfterMs: 300_000 });
    expect(verdictOf({ status: 0, data: [] })).toBeNull();
  });

  it('include 403 (app version too old), which is not treated as transient', () => {
    expect(classifyLibreview({ status: 403, headers: {}, body: undefined }).code).toBe('provider_account_state');
  });
});
