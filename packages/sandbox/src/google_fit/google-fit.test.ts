import { createManualClock, dayMs } from '@pulsewire/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { googleFitScopes } from './data-types.ts';
import { googleFitDefinition } from './definition.ts';
import { entryOf } from '../kit/create-simulator.ts';
import { approveAuthorization } from '../kit/oauth/approve-authorization.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';

const redirectUri = 'http://127.0.0.1/callback';
const client = { client_id: 'APP', client_secret: 'app-secret', redirect_uri: redirectUri };
const clock = createManualClock(new Date('2026-03-12T16:00:00Z'));
let simulator: ProviderSimulator;
let ada: SimulatedAccount;
let token: string;

type Row = Readonly<Record<string, unknown>>;

async function tokens(fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const body = new URLSearchParams({ ...client, ...fields });
  return (await fetch(simulator.endpoints.tokenUrl ?? '', { method: 'POST', body })).json() as Promise<Record<string, string>>;
}

async function link(name: string, scopes: readonly string[] = googleFitScopes): Promise<Readonly<Record<string, string>>> {
  const query = new URLSearchParams({ ...client, response_type: 'code', scope: googleFitScopes.join(' ') });
  const back = await approveAuthorization(`${simulator.endpoints.authorizeUrl}?${query.toString()}`, { account: name, scopes });
  return tokens({ grant_type: 'authorization_code', code: new URL(back).searchParams.get('code') ?? '' });
}

async function call(path: string, json?: unknown, access = token) {
  const post = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  const response = await fetch(`${simulator.url}/fitness/v1/users/me/${path}`, { ...post, headers: { authorization: `Bearer ${access}` } });
  const text = await response.text();
  return { status: response.status, retry: response.headers.get('retry-after'), text, body: JSON.parse(text) as Row };
}

/** Uses up the readings of a consent up to the one that is refused. */
async function hurry(access: string): Promise<Awaited<ReturnType<typeof call>>> {
  const steps = { aggregateBy: [{ dataTypeName: 'com.google.step_count.delta' }], startTimeMillis: 1, endTimeMillis: 2 };
  for (let count = 1; count < 4; count++) await call('dataset:aggregate', steps, access);
  return call('dataset:aggregate', steps, access);
}

beforeAll(async () => {
  const applications = [{ clientId: 'APP', clientSecret: 'app-secret', redirectUris: [redirectUri] }];
  simulator = await entryOf(googleFitDefinition).start({ applications, clock });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York', historyDays: 60 });
  simulator.addAccount({ name: 'Bob', timeZone: 'Asia/Tokyo', historyDays: 30 });
  token = (await link('Ada Lovelace'))['access_token'] ?? '';
  await hurry(token);
});
afterAll(() => simulator.close());

const nowMs = clock.now().getTime();
const nanos = (ms: number) => `${ms}000000`;
const stream = (type: string, merged: string) => `derived:com.google.${type}:com.google.android.gms:${merged}`;
const datasetPath = (id: string, fromMs: number, toMs: number, query = '') =>
  `dataSources/${encodeURIComponent(id)}/datasets/${nanos(fromMs)}-${nanos(toMs)}${query}`;
const aggregated = (rows: readonly object[], more: Row = {}) => ({
  aggregateBy: rows,
  startTimeMillis: nowMs - 3 * dayMs,
  endTimeMillis: nowMs,
  bucketByTime: { period: { type: 'day', value: 1, timeZoneId: 'America/New_York' } },
  ...more,
});

test('a refresh returns no refresh token, and the id token names the user', async () => {
  const first = await link('Ada Lovelace');
  const again = await tokens({ grant_type: 'refresh_token', refresh_token: first['refresh_token'] ?? '' });
  expect(again).toMatchObject({ expires_in: 3599, token_type: 'Bearer' });
  expect(again).not.toHaveProperty('refresh_token');
  const [, claims = ''] = (first['id_token'] ?? '').split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: ada.providerUserId });
  expect(ada.providerUserId).toHaveLength(21);
});

test('the first readings of a consent meet a limit that has the status of a missing permission', async () => {
  const refused = await hurry((await link('Ada Lovelace'))['access_token'] ?? '');
  expect(refused).toMatchObject({ status: 403, retry: null, body: { error: { errors: [{ reason: 'userRateLimitExceeded' }] } } });
});

test('pages of a data set go back in time, with times of 19 digits and a list for maps in every value', async () => {
  const path = (query: string) => datasetPath(stream('heart_rate.bpm', 'merge_heart_rate_bpm'), nowMs - dayMs, nowMs, query);
  interface Page {
    readonly point: readonly { readonly startTimeNanos: string; readonly value: readonly Row[] }[];
    readonly nextPageToken?: string;
  }
  const whole = (await call(path(''))).body as unknown as Page;
  const pages: Page[] = [];
  for (let query: string | null = '?limit=100'; query !== null;) {
    const page = (await call(path(query))).body as unknown as Page;
    pages.unshift(page);
    query = page.nextPageToken === undefined ? null : `?limit=100&pageToken=${page.nextPageToken}`;
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flatMap(({ point }) => point)).toEqual(whole.point);
  expect(whole.point.every(({ startTimeNanos }) => /^\d{19}$/.test(startTimeNanos))).toBe(true);
  expect(whole.point.flatMap(({ value }) => value).every((value) => JSON.stringify(value['mapVal']) === '[]')).toBe(true);
});

test('an empty data set has no list for some people, and unknown and private streams are rejected', async () => {
  const access = (await link('Bob'))['access_token'] ?? '';
  await hurry(access);
  const empty = await call(datasetPath(stream('weight', 'merge_weight'), nowMs - 3_600_000, nowMs), undefined, access);
  expect(empty.status).toBe(200);
  expect(empty.body).not.toHaveProperty('point');
  expect((await call(datasetPath(stream('weight', 'merge_weight'), nowMs - 3_600_000, nowMs))).body).toHaveProperty('point', []);
  expect((await call(datasetPath(stream('weight', 'unknown'), nowMs - dayMs, nowMs))).status).toBe(404);
  expect((await call(datasetPath('raw:com.google.weight:com.private.app:x', nowMs - dayMs, nowMs))).body).toMatchObject({
    error: { code: 403, errors: [{ reason: 'forbidden' }] },
  });
});

test('buckets follow local days, hold a data set for each row, and sum what the raw points hold', async () => {
  const rows = [{ dataSourceId: stream('step_count.delta', 'estimated_steps') }, { dataTypeName: 'com.google.heart_rate.bpm' }];
  const { body } = await call('dataset:aggregate', aggregated(rows));
  interface Bucket {
    readonly startTimeMillis: string;
    readonly dataset: readonly { readonly dataSourceId: string; readonly point: readonly { readonly value: readonly Row[] }[] }[];
  }
  const buckets = body['bucket'] as readonly Bucket[];
  expect(buckets.map(({ startTimeMillis }) => new Date(Number(startTimeMillis)).toISOString().slice(11, 16))).toEqual([
    '16:00',
    '04:00',
    '04:00',
    '04:00',
  ]);
  const day = ada.truth?.days('2026-03-10', '2026-03-10')[0];
  expect(buckets[1]?.dataset[0]?.point[0]?.value).toEqual([{ intVal: day?.steps, mapVal: [] }]);
  expect(buckets[1]?.dataset[1]?.dataSourceId).toBe('derived:com.google.heart_rate.summary:com.google.android.gms:aggregated');
  expect(buckets[1]?.dataset[1]?.point[0]?.value).toHaveLength(3);
});

test('one type without a source or without a permission fails the whole aggregation', async () => {
  const steps = { dataTypeName: 'com.google.step_count.delta' };
  expect((await call('dataset:aggregate', aggregated([]))).text).toContain('Require at least one aggregateby');
  const bob = (await link('Bob'))['access_token'] ?? '';
  await hurry(bob);
  const glucose = await call('dataset:aggregate', aggregated([steps, { dataTypeName: 'com.google.blood_glucose' }]), bob);
  expect(glucose).toMatchObject({ status: 400, body: { error: { message: 'no default datasource found for: com.google.blood_glucose' } } });
  const some = (await link('Bob', ['https://www.googleapis.com/auth/fitness.activity.read']))['access_token'] ?? '';
  await hurry(some);
  const heart = await call('dataset:aggregate', aggregated([steps, { dataTypeName: 'com.google.heart_rate.bpm' }]), some);
  expect(heart).toMatchObject({ status: 403, body: { error: { message: 'Cannot read data of type com.google.heart_rate.bpm' } } });
  expect((await call('dataset:aggregate', aggregated([steps], { startTimeMillis: nowMs - 91 * dayMs }))).status).toBe(400);
});

interface Listed {
  readonly session: readonly { readonly id: string; readonly activityType: number; readonly endTimeMillis: string }[];
  readonly deletedSession: readonly { readonly id: string }[];
  readonly nextPageToken: string;
}

test('a window lists sessions that end in it at once, and a sync lists what changed and was deleted since', async () => {
  const listed = async (query: Readonly<Record<string, string>>) =>
    (await call(`sessions?${new URLSearchParams(query).toString()}`)).body as unknown as Listed;
  const times = { startTime: new Date(nowMs - 10 * dayMs).toISOString(), endTime: new Date(nowMs).toISOString() };
  const window = await listed(times);
  expect(window.session.length).toBeGreaterThan(12);
  expect(window.session.every(({ endTimeMillis }) => Number(endTimeMillis) >= nowMs - 10 * dayMs)).toBe(true);
  const first = await listed({ includeDeleted: 'true' });
  clock.advance(60_000);
  const [gone] = ada.deleteSilently('workout');
  const ignored = await listed({ ...times, includeDeleted: 'true', pageToken: first.nextPageToken });
  expect(ignored.deletedSession).toEqual([]);
  const changed = await listed({ includeDeleted: 'true', pageToken: first.nextPageToken });
  expect(changed.deletedSession.map(({ id }) => id)).toEqual([`w${gone?.id}`]);
  expect(changed.session).toEqual([]);
  clock.advance(60_000);
  expect(await listed({ includeDeleted: 'true', pageToken: changed.nextPageToken })).toMatchObject({ session: [], deletedSession: [] });
});

test('changes of a stream list revised points as inserted, and removed ones as deleted', async () => {
  const path = (query = '') =>
    `dataSources/${encodeURIComponent(stream('heart_rate.bpm', 'merge_heart_rate_bpm'))}/dataPointChanges${query}`;
  interface Changes {
    readonly insertedDataPoint: readonly Row[];
    readonly deletedDataPoint: readonly Row[];
    readonly nextPageToken: string;
  }
  const read = async (query?: string) => (await call(path(query))).body as unknown as Changes;
  const first = await read();
  expect(first.insertedDataPoint.length).toBeGreaterThan(100);
  expect(await read(`?pageToken=${first.nextPageToken}`)).toMatchObject({ insertedDataPoint: [], deletedDataPoint: [] });
  clock.advance(60_000);
  ada.revise();
  const revised = await read(`?pageToken=${first.nextPageToken}`);
  expect(revised.insertedDataPoint.length).toBeGreaterThan(100);
  ada.deleteMornings();
  expect((await read(`?pageToken=${revised.nextPageToken}`)).deletedDataPoint.length).toBeGreaterThan(30);
});

test('data sources name their device, and only types that were granted', async () => {
  const all = (await call('dataSources')).body['dataSource'] as readonly { readonly dataStreamId: string; readonly device?: Row }[];
  expect(all.some(({ device }) => device?.['type'] === 'watch')).toBe(true);
  expect(all.find(({ dataStreamId }) => dataStreamId.endsWith(':estimated_steps'))).not.toHaveProperty('device');
  const some = (await link('Ada Lovelace', ['https://www.googleapis.com/auth/fitness.body.read']))['access_token'] ?? '';
  const { dataSource } = (await call('dataSources', undefined, some)).body as {
    readonly dataSource: readonly { readonly dataType: Row }[];
  };
  expect(new Set(dataSource.map(({ dataType }) => dataType['name']))).toEqual(
    new Set(['com.google.weight', 'com.google.height', 'com.google.body.fat.percentage']),
  );
});
