import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Reply } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
});
afterAll(() => harness.close());

const unique = () => crypto.randomUUID();
const faults = ({ status, body }: Reply) => [status, body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))];
const warningOf = ({ headers }: Reply) => headers['x-pulsewire-warning'];

it('refuses an empty range of ingestion days when a user is created, naming both bounds', async () => {
  const caller = await harness.newCaller();
  const bounds = { ingestion_start: '2026-05-01', ingestion_end: '2026-04-01' };
  const reply = await caller.call('POST', '/v2/user', { client_user_id: unique(), ...bounds });
  expect(faults(reply)).toEqual([422, ['body.ingestion_start', 'body.ingestion_end']]);
});

it('refuses an empty range of ingestion days in an update, also against the stored bound', async () => {
  const caller = await harness.newCaller();
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: unique() })).body;
  const change = (body: object) => caller.call('PATCH', `/v2/user/${userId}`, body);
  const both = ['body.ingestion_start', 'body.ingestion_end'];
  expect(faults(await change({ ingestion_start: '2026-05-01', ingestion_end: '2026-04-01' }))).toEqual([422, both]);
  expect((await change({ ingestion_start: '2026-05-01' })).status).toBe(200);
  expect(faults(await change({ ingestion_end: '2026-04-30' }))).toEqual([422, both]);
  expect((await change({ ingestion_end: '2026-05-01' })).status).toBe(200);
  expect((await change({ ingestion_start: null, ingestion_end: '2026-04-30' })).status).toBe(200);
});

it('refuses a blank reference', async () => {
  const caller = await harness.newCaller();
  expect(faults(await caller.call('POST', '/v2/user', { client_user_id: '  ' }))).toEqual([422, ['body.client_user_id']]);
});

it('warns of a reference that looks like an e-mail address or a telephone number', async () => {
  const caller = await harness.newCaller();
  const created = await caller.call('POST', '/v2/user', { client_user_id: 'ann@example.com' });
  expect([created.status, warningOf(created)]).toEqual([200, 'client_user_id_personal']);
  const path = `/v2/user/${created.body.user_id}`;
  const changed = await caller.call('PATCH', path, { client_user_id: '+1 415 555 0100' });
  expect([changed.status, warningOf(changed)]).toEqual([200, 'client_user_id_personal']);
  expect(warningOf(await caller.call('PATCH', path, { client_user_id: unique() }))).toBeUndefined();
});

it('refuses such references when the team wants them refused', async () => {
  const caller = await harness.newCaller();
  await updateTeam(database.current, caller.team.teamId, { refusePersonalReferences: true });
  const refused = await caller.call('POST', '/v2/user', { client_user_id: 'ann@example.com' });
  expect(faults(refused)).toEqual([422, ['body.client_user_id']]);
  expect((await caller.call('POST', '/v2/user', { client_user_id: unique() })).status).toBe(200);
});
