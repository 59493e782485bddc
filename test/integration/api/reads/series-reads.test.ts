import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources, type CanonicalRecord } from '@pulsewire/contract';
import { updateTeam } from '@pulsewire/connections';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;
let pinned: Caller;
let userId: string;
let pinnedUserId: string;

const sleepId = randomUUID();
const source = { provider: 'fitbit', type: 'watch' };
const nightStart = Date.parse('2026-01-01T23:00:00Z');
const minute = 60_000;

const samples = (
  resource: string,
  count: number,
  options: { readonly subKind?: string; readonly type?: string } = {},
): CanonicalRecord => ({
  kind: 'samples',
  resource,
  ...(options.subKind !== undefined && { subKind: options.subKind }),
  source: { provider: 'fitbit', type: options.type ?? 'watch' },
  samples: Array.from({ length: count }, (_, index) => ({
    ts: nightStart + index * minute,
    end: nightStart + (index + 1) * minute,
    value: index + 1,
    timezoneOffset: 0,
  })),
});

const night = (id: string): readonly CanonicalRecord[] => [
  {
    kind: 'summary',
    id,
    resource: 'sleep',
    source,
    calendarDate: '2026-01-02',
    at: nightStart + 480 * minute,
    data: {
      date: '2026-01-02T00:00:00+00:00',
      calendar_date: '2026-01-02',
      bedtime_start: '2026-01-01T23:00:00+00:00',
      bedtime_stop: '2026-01-02T07:00:00+00:00',
      type: 'long_sleep',
      duration: 28_800,
      total: 28_000,
      awake: 800,
      light: 20_000,
      rem: 4000,
      deep: 4000,
    },
  },
  {
    kind: 'summary',
    id: randomUUID(),
    resource: 'sleep_cycle',
    source,
    calendarDate: '2026-01-02',
    at: nightStart,
    data: {
      sleep_id: id,
      session_start: '2026-01-01T23:00:00+00:00',
      session_end: '2026-01-02T07:00:00+00:00',
      stage_start_offset_second: [0, 600],
      stage_end_offset_second: [600, 1800],
      stage_type: [4, 2],
      time_zone: 'Europe/Berlin',
    },
  },
];

async function store(owner: Caller, ofUser: string, ...records: readonly CanonicalRecord[]): Promise<void> {
  await storeAt(await drawVersion(database.current), owner, ofUser, ...records);
}

async function storeAt(version: bigint, owner: Caller, ofUser: string, ...records: readonly CanonicalRecord[]): Promise<void> {
  await withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, {
      owner: { teamId: owner.team.teamId, userId: ofUser, clientUserId: 'reader' },
      version,
      origin: 'live',
      records,
      sourceId: 1,
      traceId: null,
    }),
  );
}

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { samplesPerPage: 1000 } });
  [caller, pinned] = [await harness.newCaller(), await harness.newCaller()];
  await updateTeam(database.current, pinned.team.teamId, { contractDate: '2024-01-01' });
  userId = (await caller.call('POST', '/v2/user', { client_user_id: 'reader' })).body.user_id;
  pinnedUserId = (await pinned.call('POST', '/v2/user', { client_user_id: 'reader' })).body.user_id;
  await store(
    caller,
    userId,
    ...night(sleepId),
    samples('heartrate', 5000),
    samples('hrv', 3),
    samples('cholesterol', 2, { subKind: 'ldl' }),
  );
  await store(caller, userId, samples('cholesterol', 1, { subKind: 'hdl' }), samples('weight', 2, { type: 'scale' }));
  await store(pinned, pinnedUserId, ...night(randomUUID()), samples('heartrate', 2));
});
afterAll(() => harness.close());

const window = 'start_date=2026-01-01&end_date=2026-01-31';
const read = (path: string, query = window) => caller.call('GET', `/v2/timeseries/${userId}/${path}?${query}`);

describe('every series', () => {
  it.each(resources.filter(({ kind, name }) => kind === 'timeseries' && name !== 'hypnogram').map((row) => [row.name, row] as const))(
    'has a grouped read, and a flat read where the contract has one: %s',
    async (_name, row) => {
      if (row.kind !== 'timeseries') throw new Error('not a series');
      for (const slug of new Set([row.name, row.readSlug])) {
        expect((await read(`${slug}/grouped`)).status).toBe(200);
        expect((await read(slug)).status).toBe(row.hasFlatRead ? 200 : 404);
      }
    },
  );
});

describe('flat reads', () => {
  it('stream every sample of the window by time, across several chunks', async () => {
    const { body, headers } = await read('heartrate');
    expect(body).toHaveLength(5000);
    expect(body[0]).toEqual({
      id: null,
      timestamp: '2026-01-01T23:00:00+00:00',
      timezone_offset: 0,
      type: null,
      unit: 'bpm',
      value: 1,
    });
    expect(body.map(({ value }: { value: number }) => value)).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
    expect(headers).toMatchObject({ deprecation: expect.stringMatching(/^@\d+$/), link: expect.stringContaining('/v2/team/deprecations') });
  });

  it('return one kind of cholesterol under its own path, and all kinds without it', async () => {
    expect((await read('cholesterol/ldl')).body).toHaveLength(2);
    expect((await read('cholesterol/hdl')).body).toMatchObject([{ type: 'hdl', unit: 'mmol/L', value: 1 }]);
    expect((await read('cholesterol')).body).toHaveLength(3);
    expect((await read('cholesterol/moods')).status).toBe(422);
  });

  it('filter by both bounds and the provider, and are empty without data', async () => {
    expect((await read('heartrate', 'start_date=2026-01-01T23:01:00Z&end_date=2026-01-01T23:03:00Z')).body).toHaveLength(3);
    expect((await read('heartrate', `${window}&provider=oura`)).body).toEqual([]);
    expect((await read('glucose')).body).toEqual([]);
    expect((await read('heartrate', 'start_date=2026-02-01&end_date=2026-01-01')).status).toBe(422);
    expect((await caller.call('GET', `/v2/timeseries/${randomUUID()}/heartrate?${window}`)).status).toBe(404);
  });
});

describe('sleep streams', () => {
  it('contain the series of the night and its stages', async () => {
    const { status, body } = await caller.call('GET', `/v2/timeseries/sleep/${sleepId}/stream`);
    expect(status).toBe(200);
    expect(body.heartrate).toHaveLength(481);
    expect(body.hrv).toHaveLength(3);
    expect(body.respiratory_rate).toEqual([]);
    expect(body.hypnogram).toMatchObject([
      { start: '2026-01-01T23:00:00+00:00', end: '2026-01-01T23:10:00+00:00', value: 4, unit: 'stage', timezone_offset: 3600 },
      { start: '2026-01-01T23:10:00+00:00', end: '2026-01-01T23:30:00+00:00', value: 2, unit: 'stage' },
    ]);
  });

  it('are a 404 for an unknown sleep and for a sleep of another team', async () => {
    for (const reply of [
      await caller.call('GET', `/v2/timeseries/sleep/${randomUUID()}/stream`),
      await pinned.call('GET', `/v2/timeseries/sleep/${sleepId}/stream`),
    ])
      expect([reply.status, reply.body]).toEqual([404, { detail: 'Sleep not found' }]);
  });
});

describe('the contract date of a team', () => {
  it('keeps name, slug and logo of sources in reads', async () => {
    const group = (await pinned.call('GET', `/v2/timeseries/${pinnedUserId}/heartrate/grouped?${window}`)).body.groups.fitbit[0];
    expect(group.source).toMatchObject({ provider: 'fitbit', name: 'Fitbit', slug: 'fitbit', logo: expect.stringContaining('fitbit') });
    const { body } = await pinned.call('GET', `/v2/summary/sleep/${pinnedUserId}?${window}`);
    expect(body.sleep[0].source).toMatchObject({ slug: 'fitbit', name: 'Fitbit' });
    expect((await read('heartrate/grouped')).body.groups.fitbit[0].source).not.toHaveProperty('slug');
  });

  it('keeps the hypnogram, which is removed for other teams', async () => {
    for (const path of ['hypnogram', 'hypnogram/grouped']) {
      const gone = await read(path);
      expect([gone.status, gone.body.detail]).toEqual([404, expect.stringContaining('sleep_cycle')]);
    }
    const flat = await pinned.call('GET', `/v2/timeseries/${pinnedUserId}/hypnogram?${window}`);
    expect(flat.body).toMatchObject([{ value: 4 }, { value: 2 }]);
    expect(flat.headers).toMatchObject({ sunset: 'Fri, 31 Jan 2025 00:00:00 GMT' });
    const grouped = await pinned.call('GET', `/v2/timeseries/${pinnedUserId}/hypnogram/grouped?${window}`);
    expect(grouped.body.groups.fitbit).toMatchObject([{ source: { slug: 'fitbit' }, data: [{ value: 4 }, { value: 2 }] }]);
  });

  it('determines the status of every deprecation in the list', async () => {
    const statusOf = async (of: Caller) => {
      const { body } = await of.call('GET', '/v2/team/deprecations');
      return Object.fromEntries(body.deprecations.map(({ id, status }: { id: string; status: string }) => [id, status]));
    };
    expect(await statusOf(pinned)).toMatchObject({ hypnogram: 'kept', is_final: 'kept', flat_timeseries_reads: 'announced' });
    expect(await statusOf(caller)).toMatchObject({ hypnogram: 'removed', is_final: 'removed', flat_timeseries_reads: 'announced' });
  });
});

describe('conditional and compressed reads', () => {
  const paths = [`heartrate?${window}`, `heartrate/grouped?${window}`].map((path) => () => `/v2/timeseries/${userId}/${path}`);
  const all = [...paths, () => `/v2/summary/sleep/${userId}?${window}`, () => `/v2/timeseries/sleep/${sleepId}/stream`];

  it.each(all.map((path, index) => [index, path] as const))('are 304 until the data changes (%i)', async (index, path) => {
    const first = await caller.call('GET', path());
    const tag = String(first.headers['etag']);
    const again = await caller.call('GET', path(), undefined, { 'if-none-match': `"other", ${tag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    const [other] = night(sleepId) as [CanonicalRecord & { kind: 'summary' }];
    await store(caller, userId, { ...other, data: { ...other.data, score: index + 1 } }, {
      ...samples('heartrate', 1),
      samples: [{ ts: nightStart, value: 1000 + index, timezoneOffset: 0 }],
    } as CanonicalRecord);
    expect((await caller.call('GET', path(), undefined, { 'if-none-match': tag })).status).toBe(200);
  });

  it('are not 304 after a late response has replaced a value', async () => {
    const one = (minutes: number, value: number) =>
      ({
        ...samples('respiratory_rate', 1),
        samples: [{ ts: nightStart + minutes * minute, value, timezoneOffset: 0 }],
      }) as CanonicalRecord;
    await store(caller, userId, one(0, 10), one(1, 20));
    const early = await drawVersion(database.current);
    await store(caller, userId, one(1, 21));
    const path = `/v2/timeseries/${userId}/respiratory_rate?${window}`;
    const tag = String((await caller.call('GET', path)).headers['etag']);
    await storeAt(early, caller, userId, one(0, 11));
    const after = await caller.call('GET', path, undefined, { 'if-none-match': tag });
    expect([after.status, after.body.map(({ value }: { value: number }) => value)]).toEqual([200, [11, 21]]);
    // The same response mapped differently, as after an upgrade.
    await storeAt(early, caller, userId, one(0, 12));
    const again = { 'if-none-match': String(after.headers['etag']) };
    expect((await caller.call('GET', path, undefined, again)).status).toBe(200);
  });

  it.each(all.map((path, index) => [index, path] as const))('are the same in every encoding (%i)', async (_index, path) => {
    const raw = (encoding: string) =>
      harness.api.app.inject({ method: 'GET', url: path(), headers: { 'x-service-api-key': caller.key, 'accept-encoding': encoding } });
    const plain = await raw('identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const [br, gz] = [await raw('gzip;q=0.5, br'), await raw('gzip')];
    expect([br.headers['content-encoding'], br.headers['vary']]).toEqual(['br', 'accept-encoding']);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.payload);
    expect(gz.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gz.rawPayload).toString()).toBe(plain.payload);
  });
});
