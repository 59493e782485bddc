import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIngest } from '@pulsewire/ingest';
import type { SeenDevice } from '@pulsewire/contract';
import type { Connector } from '@pulsewire/providers';
import { useDatabase } from '../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { createHarness, eventsOf, type Harness, type Linked } from './support/harness.ts';

const database = useDatabase();
let harness: Harness;
let api: ApiHarness;
let team: Caller;
/** The devices that the provider lists, and the one that its records name. */
let listed: readonly SeenDevice[] = [];
let named: SeenDevice | null = null;

const watch: SeenDevice = {
  id: randomUUID(),
  sourceType: 'watch',
  manufacturer: 'Wristband Inc',
  model: null,
  version: null,
  externalId: 'W-1',
};

/** The wristband with the devices `listed`, and records that name the device `named`, if set. */
function withDevices(connector: Connector): Connector {
  return {
    ...connector,
    account: async () => ({ providerUserId: null, account: { devices: listed } }),
    devices: { read: ({ account }) => account['devices'] as readonly SeenDevice[] },
    pulls: connector.pulls.map((spec) => ({
      ...spec,
      async *pull(context) {
        for await (const page of spec.pull(context)) {
          const device = named;
          const of = device && { deviceId: device.id, device };
          yield {
            ...page,
            records: page.records.map((record) => ('source' in record ? { ...record, source: { ...record.source, ...of } } : record)),
          };
        }
      },
    })),
  };
}

beforeAll(async () => {
  harness = await createHarness(database.current);
  api = await createApiHarness(database.current, { overrides: { clock: harness.clock } });
  team = await api.newCaller();
});
afterAll(async () => {
  await api.close();
  await harness.close();
});

const ingest = () => {
  const connector = withDevices(harness.wristband.connector);
  return createIngest({ ...harness.options, connectorFor: (slug) => (slug === 'wristband' ? connector : undefined) });
};
const link = () => harness.link({ teamId: team.team.teamId, scopes: ['move'] });
const devices = async ({ userId }: Linked) => (await team.call('GET', `/v2/user/${userId}/device`)).body;
const dayLater = async () => {
  harness.clock.advance(86_400_000);
  await harness.planDuePulls();
  await ingest().drain();
};
const sourceOf = async ({ userId }: Linked, day: string) => {
  const { body } = await team.call('GET', `/v2/timeseries/${userId}/steps/grouped?start_date=${day}&end_date=${day}`);
  return body.groups.wristband[0].source;
};

describe('devices', () => {
  it('are listed with what the provider reports about them, and announced once each', async () => {
    [listed, named] = [[watch], null];
    const linked = await link();
    await ingest().drain();
    const device = {
      id: watch.id,
      user_id: linked.userId,
      provider: 'wristband',
      source_type: 'watch',
      app_id: null,
      device_manufacturer: 'Wristband Inc',
      device_model: null,
      device_version: null,
      device_id: 'W-1',
    };
    expect(await devices(linked)).toEqual([device]);
    expect((await team.call('GET', `/v2/user/${linked.userId}/device/${watch.id}`)).body).toEqual(device);
    await dayLater();
    const created = await eventsOf(database.current, linked.userId, 'provider.device.%');
    expect(created.map(({ event_type, json }) => [event_type, JSON.parse(json ?? '')])).toEqual([['provider.device.created', device]]);

    listed = [{ ...watch, model: 'Band 2' }];
    await dayLater();
    const events = await eventsOf(database.current, linked.userId, 'provider.device.%');
    expect(JSON.parse(events.at(-1)?.json ?? '')).toEqual({ ...device, device_model: 'Band 2' });
    expect(events.map(({ event_type }) => event_type)).toEqual(['provider.device.created', 'provider.device.updated']);
    await database.current.sql`DELETE FROM devices`;
  });

  it('are not guessed for records that name none, even of a user with one device', async () => {
    [listed, named] = [[watch], null];
    const linked = await link();
    await ingest().drain();
    expect((await sourceOf(linked, '2026-03-18')).device_id).toBeNull();
    await database.current.sql`DELETE FROM devices`;
  });

  it('that records name are stored, and never overwrite what a list of devices contained', async () => {
    [listed, named] = [[{ ...watch, model: 'Band 2' }], { ...watch, model: 'BAND2', version: '1.4' }];
    const linked = await link();
    await ingest().drain();
    expect(await devices(linked)).toMatchObject([{ device_model: 'Band 2', device_version: '1.4' }]);
    expect((await sourceOf(linked, '2026-03-18')).device_id).toBe(watch.id);
    const [source] = await database.current.sql`SELECT device_id FROM source_contexts WHERE device_id = ${watch.id}`;
    expect(source).toBeDefined();
    await database.current.sql`DELETE FROM devices`;
  });
});

describe.each(['', `/${randomUUID()}`])('GET /v2/user/{user_id}/device%s', (path) => {
  it('returns 404 for an unknown user, the user of another team, and a deleted user', async () => {
    const { userId } = await link();
    const other = await api.newCaller();
    expect((await team.call('GET', `/v2/user/${randomUUID()}/device${path}`)).status).toBe(404);
    expect((await other.call('GET', `/v2/user/${userId}/device${path}`)).status).toBe(404);
    await team.call('DELETE', `/v2/user/${userId}`);
    expect((await team.call('GET', `/v2/user/${userId}/device${path}`)).status).toBe(404);
  });

  it('rejects an id that is not a UUID', async () => {
    const reply = await team.call('GET', `/v2/user/me/device${path}`);
    expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['path', 'user_id']]);
  });
});

it('returns an empty list for a user without devices, and 404 for an unknown device', async () => {
  const { userId } = await link();
  expect((await team.call('GET', `/v2/user/${userId}/device`)).body).toEqual([]);
  expect((await team.call('GET', `/v2/user/${userId}/device/${randomUUID()}`)).status).toBe(404);
});
