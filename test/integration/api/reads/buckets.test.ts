import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const minute = 60_000;
let harness: ApiHarness;
let team: Caller;
let userId: string;

/** Stores heart rates at these minutes after an instant. */
async function store(at: string, values: Readonly<Record<number, number>>): Promise<void> {
  const samples = Object.entries(values).map(([after, value]) => ({
    ts: Date.parse(at) + Number(after) * minute,
    value,
    timezoneOffset: null,
  }));
  const record = { kind: 'samples', resource: 'heartrate', source: { provider: 'fitbit', type: 'watch' }, samples } as const;
  const batch = {
    owner: { teamId: team.team.teamId, userId, clientUserId: 'walker' },
    version: await drawVersion(database.current),
    origin: 'live',
    records: [record],
    sourceId: 1,
    traceId: null,
    rawCipher: harness.labs.cipher,
  } as const;
  await withEvents(database.current, (tx, emit) => writeRecords(tx, emit, batch));
}

const read = (query: string, caller = team) => caller.call('GET', `/v2/timeseries/${userId}/buckets?resource=heartrate&${query}`);
const window = (from: string, to: string) => `start_date=${encodeURIComponent(from)}&end_date=${encodeURIComponent(to)}`;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { samplesPerPage: 1000 } });
  team = await harness.newCaller();
  userId = (await team.call('POST', '/v2/user', { client_user_id: 'walker' })).body.user_id;
  await store('2026-03-28T23:00:00Z', { 0: 60, 1: 70, 4: 80, 60: 50, 62: 90 });
});
afterAll(() => harness.close());

describe('GET /v2/timeseries/{user_id}/buckets', () => {
  it('returns count, range, average and sum of each bucket, and leaves out those without samples', async () => {
    const { status, body } = await read(`bucket=5m&${window('2026-03-28T23:00:00Z', '2026-03-29T01:00:00Z')}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      user_id: userId,
      resource: 'heartrate',
      unit: 'bpm',
      bucket_seconds: 300,
      groups: [
        {
          provider: 'fitbit',
          source_type: 'watch',
          type: null,
          data: [
            { start: '2026-03-28T23:00:00+00:00', count: 3, min: 60, avg: 70, max: 80, sum: 210 },
            { start: '2026-03-29T00:00:00+00:00', count: 2, min: 50, avg: 70, max: 90, sum: 140 },
          ],
        },
      ],
    });
  });

  it('begins its buckets with the window, so that a local day in any zone has whole ones', async () => {
    const { body } = await read(`bucket=1h&${window('2026-03-28T22:30:00Z', '2026-03-29T22:30:00Z')}`);
    expect(body.groups[0].data.map((one: { start: string; count: number }) => [one.start, one.count])).toEqual([
      ['2026-03-28T22:30:00+00:00', 3],
      ['2026-03-28T23:30:00+00:00', 2],
    ]);
  });

  it('returns only the numbers asked for: a count reveals no value', async () => {
    const { body } = await read(`bucket=1d&aggregate=count&${window('2026-03-28', '2026-03-29')}`);
    expect(body.groups[0].data).toEqual([
      { start: '2026-03-28T00:00:00+00:00', count: 3 },
      { start: '2026-03-29T00:00:00+00:00', count: 2 },
    ]);
  });

  it('agrees with the samples themselves', async () => {
    const range = window('2026-03-28', '2026-03-29');
    const { groups } = (await team.call('GET', `/v2/timeseries/${userId}/heartrate/grouped?${range}`)).body;
    const values: number[] = groups.fitbit.flatMap((group: { data: { value: number }[] }) => group.data.map(({ value }) => value));
    const buckets = (await read(`bucket=15m&${range}`)).body.groups[0].data;
    expect(buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(values.length);
    expect(Math.min(...buckets.map(({ min }: { min: number }) => min))).toBe(Math.min(...values));
    expect(Math.max(...buckets.map(({ max }: { max: number }) => max))).toBe(Math.max(...values));
  });

  it("refuses too many buckets, too long a window and unknown series, and another team's user", async () => {
    expect((await read(`bucket=1m&${window('2026-03-01', '2026-03-05')}`)).status).toBe(422);
    expect((await read(`bucket=1d&${window('2026-01-01', '2026-03-05')}`)).status).toBe(422);
    expect((await read(`bucket=7m&${window('2026-03-01', '2026-03-05')}`)).status).toBe(422);
    expect((await team.call('GET', `/v2/timeseries/${userId}/buckets?resource=sleep&start_date=2026-03-01`)).status).toBe(422);
    expect((await read(window('2026-03-28', '2026-03-29'), await harness.newCaller())).status).toBe(404);
  });
});
