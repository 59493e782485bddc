import { randomUUID } from 'node:crypto';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError, noMetrics, silentLogger } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { createAuditRecorder, listAuditEntries, type AuditRecorder } from '@pulsewire/audit';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
let recorder: AuditRecorder;
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  recorder = createAuditRecorder({ database: database.current, logger: silentLogger, metrics: noMetrics, waitMs: 1 });
  harness = await createApiHarness(database.current, { overrides: { cipher, audit: recorder } });
  caller = await harness.newCaller();
});
afterAll(async () => {
  await harness.close();
  await recorder.close();
});

interface Entry {
  readonly action: string;
  readonly effect: string;
}

const audit = async (query = '', of = caller) =>
  (await of.call('GET', `/v2/team/audit${query}`)).body as { data: Entry[]; next_cursor: string | null };

it('records who did what for which user, from which address, with which outcome', async () => {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: 'Ann Smith' })).body;
  await caller.call('GET', `/v2/summary/activity/${userId}?start_date=2026-01-01`);
  await caller.call('GET', `/v2/user/${randomUUID()}`);
  const { id: webhookId } = (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' })).body;
  await caller.call('GET', `/v2/team/webhook/${webhookId}/secret`);
  await expect.poll(async () => (await audit('?limit=1000')).data.map(({ action }) => action)).toContain('getWebhookSecret');
  const { data } = await audit('?limit=1000');
  const of = (action: string) => data.find((one) => one.action === action);
  expect(of('readActivitySummaries') ?? data.find((one) => /activity/i.test(one.action))).toMatchObject({
    effect: 'read',
    user_id: userId,
    status: 200,
  });
  expect(of('createUser')).toMatchObject({ effect: 'change', actor_kind: 'key', address: '127.0.0.1', status: 200 });
  expect(of('getUser')).toMatchObject({ effect: 'read', status: 404 });
  expect(of('getWebhookSecret')).toMatchObject({ effect: 'secret', target: { webhook_id: webhookId }, status: 200 });
  // Ids only, no text that a person wrote.
  expect(JSON.stringify(data)).not.toContain('Ann');
});

it('records the user of a read whose query names it twice, and no reference that a search looks for', async () => {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  await caller.call('GET', `/v2/introspect/resources?user_id=${userId}&user_id=${userId}`);
  await caller.call('GET', '/v2/team/users/search?query_id=jane-doe-1970');
  const ofUser = async () => (await audit(`?user_id=${userId}`)).data.map(({ effect }) => effect);
  await expect.poll(ofUser).toContain('read');
  expect(JSON.stringify(await audit('?limit=1000'))).not.toContain('jane-doe');
});

it('records rejections for a missing scope', async () => {
  const { key } = (await caller.call('POST', '/v2/team/api_key', { label: 'reader', scopes: ['read'] })).body;
  await harness.bare('DELETE', `/v2/user/${randomUUID()}`, undefined, { 'x-service-api-key': key });
  await expect
    .poll(async () => (await audit('?effect=change&limit=1000')).data.find(({ action }) => action === 'deleteUser'))
    .toMatchObject({ status: 403 });
});

it('shows a team only its own entries', async () => {
  const other = await harness.newCaller();
  await caller.call('GET', '/v2/user');
  const foreign = await audit('', other);
  expect(foreign.data.filter(({ action }) => action !== 'listAuditEntries')).toEqual([]);
});

it('withholds secrets while the audit log cannot be written', async () => {
  const { id } = (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' })).body;
  const failing = await createApiHarness(database.current, {
    overrides: {
      cipher,
      audit: {
        record: () => {},
        recordNow: () => Promise.reject(new AppError({ code: 'audit_unavailable', kind: 'unavailable', message: 'Away', retryable: true })),
        close: async () => {},
      },
    },
  });
  const reply = await failing.bare('GET', `/v2/team/webhook/${id}/secret`, undefined, { 'x-service-api-key': caller.key });
  expect([reply.status, reply.text]).toEqual([503, expect.not.stringContaining('whsec_')]);
  await failing.close();
});

it('contains a change by the time its response arrives', async () => {
  const slow = createAuditRecorder({ database: database.current, logger: silentLogger, metrics: noMetrics, waitMs: 3_600_000 });
  const own = await createApiHarness(database.current, { overrides: { cipher, audit: slow } });
  const { key, team } = await own.newCaller();
  const reply = await own.bare('POST', '/v2/user', { client_user_id: 'ben' }, { 'x-service-api-key': key });
  const entries = await listAuditEntries(database.current, { teamId: team.teamId, limit: 10 });
  expect(entries).toMatchObject([{ action: 'createUser', effect: 'change', status: reply.status }]);
  await own.close();
  await slow.close();
  expect(await listAuditEntries(database.current, { teamId: team.teamId, limit: 10 })).toHaveLength(1);
});

it('lets a completed change succeed even while the audit log cannot be written', async () => {
  const away = new AppError({ code: 'audit_unavailable', kind: 'unavailable', message: 'Away', retryable: true });
  const failing = { record: () => {}, recordNow: () => Promise.reject(away), close: async () => {} };
  const own = await createApiHarness(database.current, { overrides: { cipher, audit: failing } });
  const reply = await own.bare('POST', '/v2/user', { client_user_id: 'cleo' }, { 'x-service-api-key': (await own.newCaller()).key });
  expect(reply.status).toBe(200);
  await own.close();
});

it('records a request without an address from the proxy', async () => {
  const own = await createApiHarness(database.current, {
    config: { trustedProxies: ['127.0.0.0/8'] as never[] },
    overrides: { cipher, audit: recorder },
  });
  const { key, team } = await own.newCaller();
  const read = (from: string) => own.bare('GET', '/v2/user', undefined, { 'x-service-api-key': key, 'x-forwarded-for': from });
  for (const from of ['unknown', '203.0.113.9', 'fe80::1%eth0']) await read(from);
  await expect
    .poll(async () => (await listAuditEntries(database.current, { teamId: team.teamId, limit: 10 })).map(({ address }) => String(address)))
    .toEqual(expect.arrayContaining(['203.0.113.9', 'fe80::1', 'null']));
  await own.close();
});

/** Sends a GET and leaves: at once, or with a reset when the first bytes of the response arrive. */
function leave(own: ApiHarness, path: string, key: string, when: 'at_once' | 'first_byte'): Promise<void> {
  const { port } = own.api.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
      .once('error', reject)
      .once('close', () => resolve());
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${key}\r\n\r\n`, () => {
      if (when === 'at_once') socket.destroy();
    });
    socket.once('data', () => socket.resetAndDestroy());
  });
}

it.each(['at_once', 'first_byte'] as const)('records reads whose client leaves %s', async (when) => {
  const own = await createApiHarness(database.current, { config: { samplesPerPage: 50_000 }, overrides: { cipher, audit: recorder } });
  await own.api.app.listen({ port: 0, host: '127.0.0.1' });
  const reader = await own.newCaller();
  const { user_id: userId } = (await reader.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  for (const path of [`/v2/timeseries/${userId}/heartrate?start_date=2020-01-01`, `/v2/user/${userId}`])
    await leave(own, path, reader.key, when);
  const reads = async () => {
    const entries = await listAuditEntries(database.current, { teamId: reader.team.teamId, limit: 100 });
    return entries.filter(({ effect }) => effect === 'read').map((entry) => entry.userId);
  };
  await expect.poll(reads).toEqual([userId, userId]);
  await own.close();
});

it('records a stream before its first byte, and once', async () => {
  const slow = createAuditRecorder({ database: database.current, logger: silentLogger, metrics: noMetrics, waitMs: 3_600_000 });
  const own = await createApiHarness(database.current, { overrides: { cipher, audit: slow } });
  const reader = await own.newCaller();
  const { user_id: userId } = (await reader.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const path = `/v2/timeseries/${userId}/heartrate?start_date=2020-01-01`;
  expect((await reader.call('GET', path)).status).toBe(200);
  const reads = async () => {
    const entries = await listAuditEntries(database.current, { teamId: reader.team.teamId, limit: 100 });
    return entries.filter(({ effect }) => effect === 'read').map((entry) => [entry.userId, entry.status]);
  };
  expect(await reads()).toEqual([[userId, 200]]);
  await own.close();
  await slow.close();
  expect(await reads()).toHaveLength(1);
});
