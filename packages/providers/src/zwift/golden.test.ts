import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { goldenText, withoutRaw } from '../kit/testing/golden-text.ts';
import { silentLossesOfPull } from '../kit/testing/silent-losses.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import { responsesFor, createFakeHttp, type FakeResponse } from '../kit/testing/fake-http.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { PulledPage } from '../kit/types/connector.ts';
import { mapProfile } from './map-profile.ts';
import { zwiftPulls } from './pulls.ts';
import { createContext } from './zwift.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/New_York',
  providerUserId: '1234567',
  grantedScopes: [],
  account: {},
};
const [workouts] = zwiftPulls;
const fileUrl = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
const readFixture = async (name: string): Promise<unknown> => JSON.parse(await readFile(fileUrl(`${name}.json`), 'utf8'));
const listPath = '/api/profiles/1234567/activities';

async function pull(response: FakeResponse, startDate = '2026-03-08', endDate = '2026-03-08') {
  const http = createFakeHttp(response);
  const pages: PulledPage[] = [];
  for await (const page of workouts?.pull({ http, user, window: { startDate, endDate }, signal: AbortSignal.timeout(60_000) }) ?? [])
    pages.push(page);
  const [records, quarantined] = [pages.flatMap((page) => page.records), pages.flatMap((page) => page.quarantined)];
  return { http, pages, records, quarantined };
}

const first = ({ query }: { readonly query?: Readonly<Record<string, string>> }) => query?.['start'] === '0';

async function wholeResponse(changed: Readonly<Record<string, unknown>> = {}): Promise<FakeResponse> {
  const list = await readFixture('activities');
  const page = await readFixture('activity');
  const response = responsesFor({
    '/api/activities/1234567890123456789': page,
    '/api/activities/1234567890123456001': { fitnessData: { status: 'NOT_AVAILABLE' } },
    'https://us-or-rly101.zwift.com/api/activities/1234567890123456789/file/1': await readFixture('file'),
    ...changed,
  });
  return (call) => (call.path === listPath ? (first(call) ? list : []) : response(call));
}

it('maps the golden file: 64-bit ids, units, the local day in the user’s zone, activity streams', async () => {
  const { records, quarantined } = await pull(await wholeResponse());
  expect(unsoundRecords(records)).toEqual([]);
  expect(
    withoutRaw(records, await readFixture('activities'), await readFixture('activity'), { fitnessData: { status: 'NOT_AVAILABLE' } }),
  ).toEqual([]);
  await expect(goldenText({ records, quarantined })).toMatchFileSnapshot(fileUrl('activities.expected.json').pathname);
});

it.each([
  ['activities', listPath],
  ['activity', '/api/activities/1234567890123456789'],
  ['file', 'https://us-or-rly101.zwift.com/api/activities/1234567890123456789/file/1'],
])('loses no record to an item of %s that it cannot read without setting something aside', async (fixture, path) => {
  const read = async (body: unknown) => {
    const response = await wholeResponse({ [path]: body });
    return pull((call) => (call.path === listPath && path === listPath ? (first(call) ? body : []) : response(call)));
  };
  expect((await read(await readFixture(fixture))).records).not.toEqual([]);
  expect(await silentLossesOfPull(read, await readFixture(fixture))).toEqual([]);
});

it('returns the profile of its golden file: millimetres, month first', async () => {
  const mapped = mapProfile(await readFixture('profile'), createContext(user));
  expect(unsoundRecords(mapped.records)).toEqual([]);
  expect(withoutRaw(mapped.records, await readFixture('profile'))).toEqual([]);
  await expect(goldenText(mapped)).toMatchFileSnapshot(fileUrl('profile.expected.json').pathname);
});

it.each([undefined, null, 7, 'text', [], {}])('quarantines %j without failing', async (body) => {
  expect(mapProfile(body, createContext(user)).records).toEqual([]);
  expect((await pull(() => body)).records).toEqual([]);
});

it('skips a ride in progress, and maps it once it has an end', async () => {
  const ride = { id_str: '42', name: 'Ride', sport: 'CYCLING', startDate: '2026-03-08T23:08:36.323+0000', endDate: null as string | null };
  const response =
    (item: object): FakeResponse =>
    (call) =>
      call.path === listPath ? (first(call) ? [item] : []) : {};
  const underWay = await pull(response(ride));
  expect([underWay.records, underWay.quarantined]).toEqual([[], []]);
  const ended = await pull(response({ ...ride, endDate: '2026-03-09T00:10:36.323+0000' }));
  expect(ended.records).toMatchObject([{ resource: 'workouts', data: { provider_id: '42' } }]);
});

it('keeps the workout when its page is hidden, and when its file is on another host', async () => {
  const withoutFile = { fitnessData: { fullDataUrl: 'https://files.example/1' } };
  const response = await wholeResponse({
    '/api/activities/1234567890123456789': withoutFile,
    '/api/activities/1234567890123456001': undefined,
  });
  const { records } = await pull((call) => {
    if (call.path === '/api/activities/1234567890123456001') throw providerError('provider_permanent', { status: 404 });
    return response(call);
  });
  expect(records.map(({ resource }) => resource)).toEqual(['workouts', 'workouts']);
});

it('has no heart rate while the strap was not worn, and no channel if it never was', async () => {
  const streamOf = async (heartRate: readonly number[]) => {
    const file = { timeInSec: [0, 1, 2], powerInWatts: [180, 0, 170], heartRate };
    const { records } = await pull(
      await wholeResponse({ 'https://us-or-rly101.zwift.com/api/activities/1234567890123456789/file/1': file }),
    );
    return records.flatMap((record) => (record.kind === 'stream' ? [record.data] : []))[0];
  };
  expect(await streamOf([120, 0, 121])).toMatchObject({ power: [180, 0, 170], heartrate: [120, null, 121] });
  expect(Object.keys((await streamOf([0, 0, 0])) ?? {})).toEqual(['time', 'power']);
});

it('quarantines a list that is shorter than the times, and keeps the others', async () => {
  const file = { timeInSec: [0, 1], powerInWatts: [180], heartRate: [120, 121] };
  const { records, quarantined } = await pull(
    await wholeResponse({ 'https://us-or-rly101.zwift.com/api/activities/1234567890123456789/file/1': file }),
  );
  expect(records.find(({ kind }) => kind === 'stream')).toMatchObject({ data: { heartrate: [120, 121] } });
  expect(quarantined).toContainEqual({ resource: 'workout_stream', reason: 'unknown_shape', pointer: '/powerInWatts' });
});

it('follows the list back to the window and no further', async () => {
  const item = (day: string, place: number) => ({
    id_str: `${day.slice(-2)}${place}`,
    name: 'Ride',
    sport: 'CYCLING',
    startDate: `${day}T12:00:00.000+0000`,
    endDate: `${day}T13:00:00.000+0000`,
  });
  const days = ['2026-03-12', '2026-03-10', '2026-03-08', '2026-03-06', '2026-03-04'];
  const { http, records } = await pull(
    ({ path, query }) => {
      if (path !== listPath) return {};
      const day = days[Number(query?.['start']) / 20];
      return day === undefined ? [] : [item(day, 1), item(day, 2)];
    },
    '2026-03-09',
    '2026-03-10',
  );
  expect(records).toHaveLength(2);
  expect(http.paths.filter((path) => path.startsWith(listPath))).toHaveLength(3);
});
