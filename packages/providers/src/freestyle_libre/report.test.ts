import { describe, expect, it } from 'vitest';
import { createFakeHttp, type FakeCall } from '../kit/testing/fake-http.ts';
import { readDevices } from '../abbott_libreview/daily-log/devices.ts';
import { reportPull } from './pull.ts';
import { readReport } from '../abbott_libreview/daily-log/read-report.ts';

const log = { Data: { Days: [{ Glucose: [[{ Timestamp: 1_773_273_600, Value: 5.6 }]] }] }, Title: 'a } "quoted" \\ </b> {' };
const pageOf = (name: string) => `<html><script>var other = {"a":"}"};\n${name} = ${JSON.stringify(log)};</script></html>`;

describe('the page of a report', () => {
  it('returns the object that it contains, under the names of both known clients', () => {
    expect(readReport(pageOf('window.Report'))).toEqual(log);
    expect(readReport(pageOf('window.report'))).toEqual(log);
    expect(readReport(pageOf('DataForLibreDailyLog'))).toEqual(log);
  });

  it.each(['', '<html>Access denied</html>', 'window.Report = {"a":', 'window.Report = null', 'window.Report = {not json}'])(
    'returns undefined for %j',
    (html) => expect(readReport(html)).toBeUndefined(),
  );
});

describe('devices', () => {
  const settings = (dataSources: unknown) => ({ data: { dataSources } });
  it('put the one with data of the last day first, else the first one; invalid ones are left out', () => {
    const old = { type: 40_066, daysData: [90] };
    const fresh = { type: 40_068, daysData: [1, 7] };
    expect(readDevices(settings({ a: old, b: fresh, '../c': fresh, d: { type: 'x' } }))).toEqual({
      primaryId: 'b',
      primaryType: 40_068,
      otherIds: ['a'],
    });
    expect(readDevices(settings({ a: old, e: old }))?.primaryId).toBe('a');
    for (const body of [undefined, null, {}, settings(null), settings([]), settings({})]) expect(readDevices(body)).toBeNull();
  });
});

describe('the pull of a daily log', () => {
  const user = { userId: 'u', fallbackTimeZone: null, providerUserId: 'p-1', grantedScopes: [], account: { patient_id: 'p-1' } };
  const window = { startDate: '2026-03-11', endDate: '2026-03-12' };
  const response =
    (polls: readonly object[], dataSources: object = { dev: { type: 40_068, daysData: [1] } }) =>
    ({ path }: FakeCall): unknown => {
      if (path === '/patients/p-1/reportSettings') return { status: 0, data: { dataSources } };
      if (path === '/reports') return { data: { url: 'https://hub-eu.libreview.io/channel/1' }, ticket: { token: 'session-token' } };
      if (path.endsWith('/channel/1')) return { data: { lp: 'https://hub-eu.libreview.io/poll/1' } };
      if (path.endsWith('/poll/1')) return polls[requested++] ?? { operation: 'started', args: {} };
      return Buffer.from(pageOf('window.Report'));
    };
  let requested = 0;
  const read = async (http: ReturnType<typeof createFakeHttp>, account: Record<string, unknown> = user.account) => {
    requested = 0;
    const pages = [];
    for await (const page of reportPull.pull({ http, user: { ...user, account }, window, signal: AbortSignal.timeout(60_000) }))
      pages.push(page);
    return pages;
  };
  const ready = (urls: unknown) => ({ operation: 'update', args: { urls } });
  const reportUrl = 'https://reports.libreview.io/5';

  it.each([
    ['by the number of the report', { 3: 'https://reports.libreview.io/3', 5: reportUrl }],
    ['in a list', [reportUrl]],
  ])('polls until the report is ready (URL %s) and opens it with the token of the report request', async (_how, urls) => {
    const http = createFakeHttp(response([{ operation: 'started' }, ready(urls)]));
    const pages = await read(http);
    expect(pages).toHaveLength(1);
    // The version is that of the request: later changes are not in the report.
    expect(pages[0]).toMatchObject({ version: 2n, quarantined: [], records: [{ resource: 'glucose', source: { type: 'automatic' } }] });
    expect(http.calls.at(-1)).toMatchObject({ path: reportUrl, query: { session: 'session-token' }, accepts: 'any' });
    expect(http.calls.find(({ path }) => path === '/reports')).toMatchObject({
      isRead: true,
      json: {
        PrimaryDeviceId: 'dev',
        ReportIds: [540_068],
        ClientReportIDs: [5],
        StartDates: [Date.parse('2026-03-11T00:00:00Z') / 1000],
        EndDate: Date.parse('2026-03-12T23:59:59Z') / 1000,
        PatientId: 'p-1',
        GlucoseUnits: 0,
      },
    });
  });

  it('fails when a report is never ready, and returns no pages without a device', async () => {
    const never = createFakeHttp(response([]));
    await expect(read(never)).rejects.toMatchObject({ code: 'provider_transient' });
    expect(never.paths.filter((path) => path.endsWith('/poll/1'))).toHaveLength(10);
    expect(await read(createFakeHttp(response([], {})))).toEqual([]);
  });

  it('sends no request for a malformed patient id', async () => {
    for (const account of [{}, { patient_id: '../me' }])
      await expect(read(createFakeHttp(response([])), account)).rejects.toMatchObject({ code: 'provider_permanent' });
  });
});
