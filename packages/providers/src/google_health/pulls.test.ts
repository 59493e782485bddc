import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deviceOfPoint, googleHealthDevices, readGoogleHealthAccount } from './account.ts';
import { googleScopes } from './google-health.ts';
import { seriesPulls } from './pulls/series.ts';
import { workoutsPull } from './pulls/workouts.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, responsesFor, type FakeResponse } from '../kit/testing/fake-http.ts';
import type { PulledPage, PullSpec, PullUser } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';

const fixture = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as unknown;
const points = (type: string) => `/v4/users/me/dataTypes/${type}/dataPoints`;
const refusal = () => providerError('provider_permanent', { status: 400, reason: 'not_offered' });

const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '31415926',
  grantedScopes: Object.values(googleScopes),
  account: { time_zone: 'Europe/Berlin' },
};

/** Pulls 12 to 14 August 2026. */
async function run(pull: PullSpec, response: FakeResponse, granted = user.grantedScopes) {
  const http = createFakeHttp(response);
  const window = { startDate: '2026-08-12', endDate: '2026-08-14' };
  const pages: PulledPage[] = [];
  const context = { http, user: { ...user, grantedScopes: granted }, window, signal: AbortSignal.timeout(10_000) };
  for await (const page of pull.pull({ ...context, now: new Date('2026-08-20T12:00:00Z') })) pages.push(page);
  return { pages, records: pages.flatMap(({ records }) => records), http };
}

function pullOf(resource: string): PullSpec {
  const pull = seriesPulls.find(({ resources }) => resources.includes(resource));
  if (pull === undefined) throw new Error(`No pull reads ${resource}.`);
  return pull;
}

describe('the devices', () => {
  const identity = { '/v4/users/me/identity': { healthUserId: '31415926' }, '/v4/users/me/settings': {} };

  it('are those paired with the account, from all pages, without what has no id', async () => {
    const list = await fixture('paired-devices');
    const http = createFakeHttp(({ path, query }) => {
      if (!path.endsWith('/pairedDevices')) return responsesFor(identity)({ method: 'GET', path });
      const token = new URLSearchParams(query).get('pageToken');
      return token === null ? { pairedDevices: [], nextPageToken: 'next' } : list;
    });
    const { account } = await readGoogleHealthAccount({ http, grantedScopes: user.grantedScopes });
    const devices = googleHealthDevices({ ...user, account });
    expect(devices.map(({ externalId, sourceType, model }) => [externalId, sourceType, model])).toEqual([
      ['1369721017', 'watch', 'Charge 6'],
      ['F-31-A4', 'scale', 'Aria Air'],
      ['77', 'unknown', null],
    ]);
  });

  it('stay as they were when the list is refused, and are not asked for without the scope', async () => {
    const previous = { devices: [{ id: '1', type: 'watch', model: 'Charge 6' }] };
    for (const grantedScopes of [user.grantedScopes, [googleScopes.metrics]]) {
      const http = createFakeHttp(responsesFor(identity));
      const { account } = await readGoogleHealthAccount({ http, grantedScopes, previous });
      expect(account['devices']).toEqual(previous.devices);
      expect(http.paths.some((path) => path.includes('pairedDevices'))).toBe(grantedScopes.length > 1);
    }
  });

  it('are found by the name in a point, unless two have it or the value was typed in', () => {
    const nameOf = (device: object, more: object = {}, paired: readonly object[] = []) => {
      const point = new JsonNode({ dataSource: { device, ...more } });
      return deviceOfPoint(point, { provider: 'google_health', user: { ...user, account: { devices: paired } } })?.externalId ?? null;
    };
    const charge = (id: string) => ({ id, type: 'watch', model: 'Charge 6' });
    const named = { displayName: 'Charge 6', formFactor: 'FITNESS_BAND' };
    expect(nameOf(named, {}, [charge('1')])).toBe('1');
    expect(nameOf(named, {}, [charge('1'), charge('2')])).toBeNull();
    expect(nameOf(named)).toBe('Charge 6');
    expect(nameOf(named, { recordingMethod: 'MANUAL' })).toBeNull();
    expect([nameOf({}), nameOf({ manufacturer: 'Google' }), nameOf({ displayName: 6 })]).toEqual([null, null, null]);
  });
});

describe('a workout', () => {
  const trackpoint = (second: number, rate: number) =>
    `<Trackpoint><Time>2026-08-14T15:00:${String(second).padStart(2, '0')}Z</Time><HeartRateBpm><Value>${rate}</Value></HeartRateBpm></Trackpoint>`;
  const file = `<TrainingCenterDatabase><Track>${[trackpoint(0, 100), trackpoint(10, 171), trackpoint(30, 0)].join('')}</Track></TrainingCenterDatabase>`;
  const estimated = [232, 68, 658, 591, 553, 208];

  async function readRun(tcx: () => unknown, granted?: readonly string[]) {
    const [workouts, zones] = [await fixture('workouts'), await fixture('heart-rate-zones')];
    const result = await run(
      workoutsPull,
      ({ path }) => (path.endsWith('exportExerciseTcx') ? tcx() : path.includes('daily-heart-rate-zones') ? zones : workouts),
      granted,
    );
    const [first] = result.records.filter((record) => record.kind === 'summary');
    return { ...result, data: first?.data ?? {}, streams: result.records.filter(({ kind }) => kind === 'stream').length };
  }

  it('has the maximum heart rate and the zones of its stream', async () => {
    const { data, streams } = await readRun(() => Buffer.from(file));
    expect({ max: data['max_hr'], zones: data['hr_zones'], streams }).toEqual({ max: 171, zones: [0, 10, 0, 0, 0, 1], streams: 4 });
  });

  it.each([
    ['which another app wrote', () => refuse()],
    ['whose file has no track', () => Buffer.from('<TrainingCenterDatabase/>')],
    ['whose file is empty', () => Buffer.from('')],
  ])('%s has the zones that Google states, as an estimate', async (_what, tcx) => {
    const { data, streams, pages } = await readRun(tcx);
    expect({ max: data['max_hr'], zones: data['hr_zones'], streams }).toEqual({ max: undefined, zones: estimated, streams: 0 });
    expect(pages[0]?.version).toBe(1n);
  });

  it('is read without its stream when the location was not granted', async () => {
    const { data, streams, http } = await readRun(refuse, [googleScopes.activity, googleScopes.metrics]);
    expect({ zones: data['hr_zones'], streams }).toEqual({ zones: estimated, streams: 0 });
    expect(http.paths.filter((path) => path.includes('Tcx'))).toEqual([]);
  });

  it('is read again later when a proxy responded in place of Google', async () => {
    await expect(readRun(() => Buffer.from('<html></html>'))).rejects.toMatchObject({ code: 'provider_transient' });
  });

  function refuse(): never {
    throw refusal();
  }
});

describe('a series of several data types', () => {
  it('is read two days beyond the window, in one page of the oldest version', async () => {
    const pages = (await fixture('oxygen-nights')) as Record<string, readonly unknown[]>;
    const result = await run(pullOf('blood_oxygen'), ({ path }) => pages[path.split('/')[5] ?? '']?.[0]);
    expect(result.pages.map(({ version }) => version)).toEqual([1n]);
    expect(result.http.calls.map(({ query }) => new URLSearchParams(query).get('filter'))).toEqual([
      'oxygen_saturation.sample_time.civil_time >= "2026-08-10" AND oxygen_saturation.sample_time.civil_time < "2026-08-17"',
      'daily_oxygen_saturation.date >= "2026-08-10" AND daily_oxygen_saturation.date < "2026-08-17"',
    ]);
  });

  it('is read without the types that Google does not offer, except the first', async () => {
    const pages = (await fixture('weighings')) as Record<string, readonly unknown[]>;
    const without = (refused: string): FakeResponse => {
      return ({ path }) => {
        if (path === points(refused)) throw refusal();
        return pages[path.split('/')[5] ?? '']?.[0];
      };
    };
    const { records } = await run(pullOf('weight'), without('body-fat'));
    expect(new Set(records.map((record) => 'resource' in record && record.resource))).toEqual(new Set(['body', 'weight']));
    await expect(run(pullOf('weight'), without('weight'))).rejects.toMatchObject({ code: 'provider_permanent' });
  });
});
