import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { updateTeam } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import { runAdmin } from '../../../../services/standalone/src/admin/run-admin.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
});
afterAll(() => harness.close());

const device = {
  id: randomUUID(),
  sourceType: 'watch',
  manufacturer: null,
  model: 'A',
  version: null,
  externalId: 'W1',
  raw: { deviceid: 'W1' },
};
const source = { provider: 'fitbit', type: 'watch', deviceId: device.id, device };
const summary = (resource: string, day: string, data: object, raw: object): CanonicalRecord => ({
  kind: 'summary',
  id: randomUUID(),
  resource,
  source,
  calendarDate: day,
  at: Date.parse(day),
  data: { ...data },
  raw: { externalId: `own-${day}`, data: raw },
});
const sport = { id: 1, name: 'Running', slug: 'running' };
const records = [
  summary('activity', '2026-01-02', { steps: 2 }, { steps: '2', nested: { list: [1, null] } }),
  summary('activity', '2026-01-01', { steps: 1 }, { steps: '1' }),
  summary('workouts', '2026-01-01', { sport }, { sport: 'run' }),
  summary('sleep', '2026-01-01', {}, { minutes: 7 }),
  summary('body', '2026-01-01', { weight: 70 }, { kilograms: 70 }),
  summary('profile', '2026-01-01', { height: 170 }, { height: 1.7 }),
];

/** A caller whose user has these records, stored as for a team that wants raw data. */
async function newReader(isWanted: boolean): Promise<{ caller: Caller; userId: string }> {
  const caller = await harness.newCaller();
  const { teamId } = caller.team;
  await updateTeam(database.current, teamId, { providerRawData: isWanted });
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const version = await drawVersion(database.current);
  const mine = records.map((record) => ({
    ...record,
    ...('id' in record && { id: randomUUID() }),
    source: { ...source, deviceId: device.id },
  })) as CanonicalRecord[];
  await withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, {
      owner: { teamId, userId, clientUserId: 'x' },
      version,
      origin: 'live',
      records: mine,
      sourceId: 3,
      traceId: null,
      rawCipher: harness.labs.cipher,
    }),
  );
  return { caller, userId };
}

describe('raw forms', () => {
  it("are the provider's JSON with the ids of its record, in ascending order", async () => {
    const { caller, userId } = await newReader(true);
    const { body } = await caller.call('GET', `/v2/summary/activity/${userId}/raw?start_date=2026-01-01&end_date=2026-01-02`);
    expect(body.activity.map(({ data }: { data: unknown }) => data)).toEqual([{ steps: '1' }, { steps: '2', nested: { list: [1, null] } }]);
    expect(body.activity[0]).toMatchObject({
      user_id: userId,
      provider_id: 'own-2026-01-01',
      timestamp: '2026-01-01T00:00:00+00:00',
      source: { slug: 'fitbit', name: 'Fitbit' },
      source_id: 3,
      source_device_id: device.id,
    });
    const summaries = await caller.call('GET', `/v2/summary/activity/${userId}?start_date=2026-01-01`);
    expect(body.activity[0].id).toBe(summaries.body.activity[0].id);
  });

  it("of workouts name the sport, and those of devices the provider's description", async () => {
    const { caller, userId } = await newReader(true);
    const { workouts } = (await caller.call('GET', `/v2/summary/workouts/${userId}/raw?start_date=2026-01-01`)).body;
    expect(workouts).toMatchObject([{ data: { sport: 'run' }, sport_id: 1, sport }]);
    const { profile } = (await caller.call('GET', `/v2/summary/profile/${userId}/raw`)).body;
    expect(profile).toMatchObject({ data: { height: 1.7 }, user_id: userId });
  });

  it('are selected by window and provider, like their summaries', async () => {
    const { caller, userId } = await newReader(true);
    const count = async (query: string) =>
      (await caller.call('GET', `/v2/summary/activity/${userId}/raw?${query}`)).body.activity.length as number;
    expect(await count('start_date=2026-01-02')).toBe(1);
    expect(await count('start_date=2026-01-01&provider=fitbit')).toBe(2);
    expect(await count('start_date=2026-01-01&provider=oura')).toBe(0);
  });

  it('are empty for a team without raw data, and its raw profile does not exist', async () => {
    const { caller, userId } = await newReader(false);
    for (const resource of ['activity', 'body', 'sleep', 'workouts', 'devices']) {
      const { status, body } = await caller.call('GET', `/v2/summary/${resource}/${userId}/raw?start_date=2026-01-01`);
      expect([status, body]).toEqual([200, { [resource]: [] }]);
    }
    expect((await caller.call('GET', `/v2/summary/profile/${userId}/raw`)).status).toBe(404);
  });

  it('are removed when the switch is off, and not restored when it is on again', async () => {
    const { caller, userId } = await newReader(true);
    const set = (value: string) =>
      runAdmin(['teams', 'set', caller.team.teamId, `provider_raw_data=${value}`], {
        database: database.current,
        cipher: harness.labs.cipher,
        clock: systemClock,
        kafka: {} as never,
        providers: {} as never,
        print: () => {},
        secret: () => '',
      });
    expect([await set('off'), await set('on')]).toEqual([0, 0]);
    for (const resource of ['activity', 'body', 'sleep', 'workouts', 'devices']) {
      const { body } = await caller.call('GET', `/v2/summary/${resource}/${userId}/raw?start_date=2026-01-01`);
      expect(body).toEqual({ [resource]: [] });
    }
  });

  it('have an entity tag that changes with the raw form', async () => {
    const { caller, userId } = await newReader(true);
    const url = `/v2/summary/body/${userId}/raw?start_date=2026-01-01&end_date=2026-01-02`;
    const first = await caller.call('GET', url);
    const headers = { 'if-none-match': String(first.headers['etag']) };
    expect((await caller.call('GET', url, undefined, headers)).status).toBe(304);
    await database.current.sql`UPDATE raw_entries SET updated_at = clock_timestamp() WHERE user_id = ${userId}`;
    expect((await caller.call('GET', url, undefined, headers)).status).toBe(200);
  });
});
