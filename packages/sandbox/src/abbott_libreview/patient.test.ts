import { createManualClock } from '@pulsewire/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { abbottLibreviewDefinition } from './definition.ts';
import { entryOf } from '../kit/create-simulator.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';

let simulator: ProviderSimulator;
beforeAll(async () => {
  simulator = await entryOf(abbottLibreviewDefinition).start({
    applications: [],
    clock: createManualClock(new Date('2026-03-12T16:00:00Z')),
  });
});
afterAll(() => simulator.close());

interface Body {
  readonly status?: number;
  readonly data?: Record<string, unknown> & { readonly authTicket?: { readonly token: string }; readonly region?: string };
  readonly ticket?: { readonly token: string };
}

async function call(path: string, options: { readonly token?: string; readonly json?: object } = {}): Promise<Body> {
  const { token, json } = options;
  const url = path.startsWith('http') ? path : `${simulator.url}${path}`;
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { headers, ...(json && { method: 'POST', body: JSON.stringify(json) }) });
  return (await response.json()) as Body;
}

const add = (name: string, more: object = {}) =>
  simulator.addAccount({ name, timeZone: 'America/New_York', historyDays: 95, region: 'us', ...more });

async function login({ credentials: { username: email, password } }: SimulatedAccount, path = '/us/auth/login'): Promise<Body> {
  return call(path, { json: { email, password } });
}

interface Point {
  readonly Timestamp: number;
  readonly Value?: number;
}
interface Day {
  readonly Glucose: readonly (readonly Point[])[];
  readonly SensorScans: readonly Point[];
}

/** Follows the chain of a report. */
async function readReport(account: SimulatedAccount, start: string, end: string, more: object = {}) {
  const token = (await login(account)).data?.authTicket?.token ?? '';
  const settings = await call('/us/reportSettings', { token });
  const sources = Object.entries((settings.data?.['dataSources'] ?? {}) as Record<string, { type: number; daysData: number[] }>);
  const [id, source] = sources.find(([, { daysData }]) => daysData.includes(1)) ?? [];
  const json = {
    PrimaryDeviceId: id,
    PrimaryDeviceTypeId: source?.type,
    SecondaryDeviceIds: sources.map(([other]) => other).filter((other) => other !== id),
    ReportIds: [500_000 + (source?.type ?? 0)],
    ClientReportIDs: [5],
    StartDates: [Date.parse(start) / 1000],
    EndDate: Date.parse(end) / 1000,
    PatientId: account.providerUserId,
    ...more,
  };
  const started = await call('/us/reports', { token, json });
  const session = started.ticket?.token ?? '';
  expect(session).not.toBe(token);
  const { lp } = (await call(String(started.data?.['url']), { token: session })).data as unknown as { lp: string };
  expect(await call(lp)).toEqual({ operation: 'started', args: {} });
  const { args } = (await call(lp)) as unknown as { args: { urls: Record<string, string> } };
  const page = args.urls['5'] ?? '';
  expect((await fetch(`${page}?session=${token}`)).status).toBe(401);
  const html = await (await fetch(`${page}?session=${session}`)).text();
  const text = /(?:DataForLibreDailyLog|window\.report) = (\{.*\});<\/script>/.exec(html)?.[1] ?? '';
  return { html, days: (JSON.parse(text) as { Data: { Days: Day[] } }).Data.Days };
}

test('a patient logs in only at LibreView and the own region, a follower only at LibreLinkUp', async () => {
  const patient = add('Patient Ada');
  expect(await login(patient, '/auth/login')).toMatchObject({ status: 0, data: { redirect: true, region: 'us' } });
  expect(await login(patient, '/eu/auth/login')).toMatchObject({ data: { redirect: true, region: 'us' } });
  expect(await login(patient)).toMatchObject({ status: 0, data: { user: { id: patient.providerUserId, accountType: 'pat' } } });
  expect(await login(patient, '/llu/auth/login')).toEqual({ status: 2, error: { message: 'notAuthenticated' } });
  expect(await login(add('Follower Ada'))).toEqual({ status: 2, error: { message: 'notAuthenticated' } });
});

test.each([
  ['Patient Codes', 'phone'],
  ['Patient Mail Codes', 'email'],
])('the login of %s needs the code that was sent by %s', async (name, primaryMethod) => {
  const account = add(name, { wantsMfa: true });
  const first = await login(account);
  expect(first).toMatchObject({ status: 4, data: { step: { type: '2faVerify' }, user: { twoFactor: { primaryMethod } } } });
  const token = first.data?.authTicket?.token ?? '';
  const sent = await call('/us/auth/continue/2fa/sendcode', { token, json: { isPrimaryMethod: true } });
  const json = { code: account.credentials.mfaCode, isPrimaryMethod: true };
  expect((await call('/us/auth/continue/2fa/result', { token, json })).status).toBeUndefined();
  const inside = await call('/us/auth/continue/2fa/result', { token: sent.ticket?.token ?? '', json });
  expect(await call('/us/reportSettings', { token: inside.data?.authTicket?.token ?? '' })).toMatchObject({ status: 0 });
});

test('a report holds 90 days of floating times, in the unit of the account or the requested one', async () => {
  const account = add('Patient Days');
  const { days } = await readReport(account, '2025-12-13T00:00:00Z', '2026-03-12T23:59:59Z');
  expect(days).toHaveLength(90);
  const [day] = account.truth?.days('2026-03-10', '2026-03-10') ?? [];
  const shown = days.find(({ Glucose: [run] }) => run?.[0]?.Timestamp === Date.parse('2026-03-10T00:00:00Z') / 1000);
  expect(shown?.Glucose.flat().map(({ Value: value }) => value)).toEqual(day?.glucose.map(({ value }) => value));
  expect(shown?.SensorScans.filter(({ Value: value }) => value === undefined)).toHaveLength(1);
  const { days: mmol } = await readReport(account, '2026-03-10T00:00:00Z', '2026-03-10T12:00:00Z', { GlucoseUnits: 0 });
  expect(mmol).toHaveLength(1);
  for (const { Value: value = 0 } of mmol[0]?.Glucose.flat() ?? []) expect(value).toBeLessThan(20);
});

test('the page of an older report names the object differently', async () => {
  const older = await readReport(add('Patient Older'), '2026-03-12T00:00:00Z', '2026-03-12T00:00:00Z');
  expect(older.html).toContain('DataForLibreDailyLog');
  expect(older.days[0]?.Glucose.flat().length).toBeGreaterThan(100);
});

test('a changed password ends session and login; a pending step and an empty account are reported', async () => {
  const account = add('Patient Gone');
  const token = (await login(account)).data?.authTicket?.token ?? '';
  account.revoke();
  expect(await call('/us/user', { token })).toEqual({ message: 'MissingOrInvalidToken' });
  expect(await login(account)).toMatchObject({ status: 2 });
  const expired = await call('/us/auth/login', { json: { email: 'expired@mail.example', password: 'x' } });
  expect(expired).toMatchObject({ status: 4, data: { step: { type: 'resetPassword' } } });
  const empty = (await login(add('Patient Empty'))).data?.authTicket?.token ?? '';
  expect(await call('/us/reportSettings', { token: empty })).toMatchObject({ status: 0, data: { dataSources: {} } });
});
