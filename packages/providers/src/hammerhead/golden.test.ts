import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Quarantined } from '@pulsewire/contract';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, type FakeResponse } from '../kit/testing/fake-http.ts';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { MappedRecords, PulledPage } from '../kit/types/connector.ts';
import { hammerhead } from './connector.ts';
import { createContext } from './hammerhead.ts';
import { readListed } from './listed-ride.ts';
import { mapRide } from './map-ride.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/New_York',
  providerUserId: '123456',
  grantedScopes: [],
  account: {},
};
const context = createContext(user);

function mapList(body: unknown): MappedRecords {
  const quarantined: Quarantined[] = [];
  const rides = readEach('workouts', new JsonNode(body).at('data'), quarantined, readListed);
  return { records: rides.flatMap((ride) => mapRide(ride, null, context, quarantined)), quarantined };
}

describeMappers(import.meta.url, { activities: mapList });

const list = JSON.parse(await readFile(new URL('fixtures/activities.json', import.meta.url), 'utf8')) as {
  readonly data: readonly object[];
};
const [pull] = hammerhead.pulls;

async function read(response: FakeResponse, startDate = '2026-05-14') {
  const http = createFakeHttp(response);
  const pages: PulledPage[] = [];
  const window = { startDate, endDate: '2026-05-14' };
  for await (const page of pull?.pull({ http, user, window, signal: AbortSignal.timeout(10_000) }) ?? []) pages.push(page);
  return { http, pages, quarantined: pages.flatMap((page) => page.quarantined), records: pages.flatMap((page) => page.records) };
}

const isList = (path: string) => path === '/users/123456/activities';

describe('a window', () => {
  it('keeps rides without a file, and takes the local day of the user', async () => {
    const { records, pages } = await read(({ path }) => {
      if (isList(path)) return list;
      throw providerError('provider_permanent', { status: 422 });
    });
    expect(records.map(({ resource }) => resource)).toEqual(['workouts', 'workouts']);
    expect(records.map((record) => record.kind === 'summary' && record.calendarDate)).toEqual(['2026-05-14', '2026-05-14']);
    expect(pages[0]?.partOf).toHaveLength(1);
  });

  it('reads the stream of a ride without a file from its details', async () => {
    const recordData = {
      timestamp: [1_778_760_000, 1_778_760_010, 1_778_760_020],
      lat: [0, 52.5, 52.6],
      lng: [0, 13.4, 13.5],
      elevation: [31.5, 30, 34],
      heartRate: [0, 121, 135],
      speed: [5.1, 6.2, 4],
      power: [],
    };
    const { records, quarantined } = await read(({ path }) => {
      if (isList(path)) return list;
      if (path.endsWith('/details')) return { activityData: {}, recordData };
      throw providerError('provider_permanent', { status: 409 });
    });
    expect(quarantined).toEqual([]);
    const [ride, stream] = records;
    expect(ride?.kind === 'summary' && ride.data).toMatchObject({ max_hr: 135, max_speed: 6.2, elev_high: 34, elev_low: 30 });
    const { timestamp: time, elevation: altitude, speed: velocity_smooth } = recordData;
    const places = { lat: [null, 52.5, 52.6], lng: [null, 13.4, 13.5] };
    expect(stream?.kind === 'stream' && stream.data).toEqual({ time, ...places, altitude, heartrate: [null, 121, 135], velocity_smooth });
  });

  it.each([
    ['MOUNTAIN_BIKE', 'mountain_biking'],
    ['RIDE', 'cycling'],
    ['GRAVEL', 'cycling'],
    ['SOMETHING_NEW', 'cycling'],
    [7, 'cycling'],
    [undefined, 'cycling'],
  ])('takes the sport of a ride without a file from its details: %s', async (activityType, slug) => {
    const { records, quarantined } = await read(({ path }) => {
      if (isList(path)) return list;
      if (path.endsWith('/details')) return { activityData: { activityType } };
      throw providerError('provider_permanent', { status: 409 });
    });
    expect(quarantined).toEqual([]);
    expect(records.map((record) => record.kind === 'summary' && record.data['sport'])).toEqual([
      expect.objectContaining({ slug }),
      expect.objectContaining({ slug }),
    ]);
  });

  it('sets a file aside that is none, and fails while one is not ready', async () => {
    const { records, quarantined } = await read(({ path }) => (isList(path) ? list : Buffer.from('<html></html>')));
    expect(records).toHaveLength(2);
    expect(quarantined).toContainEqual({ resource: 'workout_stream', reason: 'unknown_shape', pointer: '/file' });
    const early: FakeResponse = ({ path }) => {
      if (isList(path)) return list;
      throw providerError('provider_transient', { status: 425 });
    };
    await expect(read(early)).rejects.toMatchObject({ code: 'provider_transient' });
  });

  it.each(['fit-local-garbage', 'fit-power-on-times'])('keeps the day of the list when the clock of a file is wrong: %s', async (name) => {
    const cases = JSON.parse(await readFile(new URL('../kit/fit/fixtures/fit-cases.json', import.meta.url), 'utf8')) as Readonly<
      Record<string, string>
    >;
    const { records, quarantined } = await read(({ path }) => (isList(path) ? list : Buffer.from(cases[name] ?? '', 'hex')));
    const rides = records.filter(({ kind }) => kind === 'summary');
    expect(rides).toMatchObject([{ calendarDate: '2026-05-14' }, { calendarDate: '2026-05-14' }]);
    expect(quarantined).toMatchObject([{ reason: 'bad_time' }, { reason: 'bad_time' }]);
  });

  it('takes the stream from the details when the file gives no times, and the maxima from the file', async () => {
    const cases = JSON.parse(await readFile(new URL('../kit/fit/fixtures/fit-cases.json', import.meta.url), 'utf8')) as Readonly<
      Record<string, string>
    >;
    const recordData = { timestamp: [1_778_760_000, 1_778_760_010], heartRate: [101, 102] };
    const { records } = await read(({ path }) => {
      if (isList(path)) return list;
      return path.endsWith('/details') ? { recordData } : Buffer.from(cases['fit-power-on-times'] ?? '', 'hex');
    });
    expect(records.find(({ kind }) => kind === 'stream')).toMatchObject({ data: { heartrate: [101, 102] } });
  });

  it('reads a list to its end that has the oldest rides first', async () => {
    const ride = (index: number) => {
      const startTime = new Date(Date.parse('2026-05-14T10:00:00Z') - (99 - index) * 86_400_000).toISOString();
      return { id: `r${index}`, name: 'Ride', activeTime: 60_000, duration: { elapsedTime: 60_000, startTime } };
    };
    const { records } = await read(({ path, query }) => {
      const page = Number(query?.['page']) - 1;
      if (isList(path)) return { data: page < 2 ? Array.from({ length: 50 }, (_, index) => ride(page * 50 + index)) : [] };
      throw providerError('provider_permanent', { status: 404 });
    });
    expect(records).toMatchObject([{ calendarDate: '2026-05-14' }]);
  });

  it('reads a list without an envelope', async () => {
    const { records } = await read(({ path }) => (isList(path) ? list.data : Buffer.from('')));
    expect(records).toHaveLength(2);
  });
});
