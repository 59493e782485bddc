import { randomUUID } from 'node:crypto';
import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createPhoneHarness, type Phone } from '../sdk/phone-harness.ts';
import type { Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;
let phone: Phone;
let port: number;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  ({ port } = await harness.api.listen());
  caller = await harness.newCaller();
  phone = await harness.newPhone(caller);
});
afterAll(() => harness.close());

/** Begins a request whose body does not end, and returns it with the status of its response. */
function begin(path: string, headers: Record<string, string>, bytes: Buffer): { call: ClientRequest; status: Promise<number> } {
  const { promise, resolve } = Promise.withResolvers<number>();
  const call = request({ port, path, method: 'POST', headers });
  call.on('response', ({ statusCode = 0 }) => resolve(statusCode));
  call.on('error', () => {});
  call.write(bytes);
  return { call, status: promise };
}

it('refuses a phone with a wrong token before the body of its logs is read', { timeout: 20_000 }, async () => {
  const headers = { 'content-type': 'application/json', 'content-length': '60000', authorization: 'Bearer wrong' };
  const { call, status } = begin(`/api/v1/sdk/users/${phone.userId}/logs`, headers, Buffer.from('{'));
  expect(await status).toBe(401);
  call.destroy();
});

describe('a body that is larger than its route needs is refused', () => {
  const bytes = (length: number) => JSON.stringify({ refresh_token: 'x', filler: 'x'.repeat(length) });
  it.each([
    ['of tokens, beyond 8 kB', '/api/v1/token/refresh', 9000],
    ['of tokens to end, beyond 8 kB', '/api/v1/token/revoke', 9000],
    ['of sign-ins, beyond 8 kB', '/api/v1/users/{user}/token', 9000],
    ['of logs, beyond 64 kB', '/api/v1/sdk/users/{user}/logs', 66_000],
    ['of logins, beyond 16 kB', '/v2/link/provider/password/whoop/complete_mfa', 17_000],
  ])('if it is one %s', async (_, path, length) => {
    const headers = { authorization: `Bearer ${phone.token}`, 'x-service-api-key': caller.key, 'x-service-link-token': 'x' };
    expect((await harness.bare('POST', path.replace('{user}', phone.userId), bytes(length), headers)).status).toBe(413);
  });
});

describe('JSON that takes long to parse is refused before it is parsed', () => {
  it.each([
    ['1,001 keys in an object', `{${Array.from({ length: 1001 }, (_, i) => `"k${i}":1`).join()}}`],
    ['20,001 items in a list', `{"metadata":[${'{},'.repeat(20_000)}{}]}`],
    ['100,001 values', `{"metadata":[${'[0,0,0,0,0,0,0,0,0,0],'.repeat(10_001)}0]}`],
  ])('such as one with %s', async (_, body) => {
    const reply = await caller.call('POST', '/v2/user', body);
    expect([reply.status, reply.body.detail[0].type]).toEqual([422, 'json_invalid']);
    expect(reply.body.detail[0].msg).toContain('1,000 keys in an object');
  });

  it('but a body of as many items as the largest intake is read', async () => {
    const body = `{"client_user_id":"${randomUUID()}","unknown":[${'{"a":1,"b":2},'.repeat(9999)}0]}`;
    expect((await caller.call('POST', '/v2/user', body)).status).toBe(200);
  });
});

it('logs of one phone beyond a hundred at once are refused with 503', { timeout: 30_000 }, async () => {
  const own = await harness.newPhone(caller);
  const log = () => harness.bare('POST', `/api/v1/sdk/users/${own.userId}/logs`, { events: [] }, { authorization: `Bearer ${own.token}` });
  const replies = [];
  for (let i = 0; i < 101; i += 1) replies.push((await log()).status);
  expect([replies.filter((status) => status === 202).length, replies.at(-1)]).toEqual([100, 503]);
});

it('reports of a team that are being uploaded hold at most 64 MB of memory, and none once they end', { timeout: 60_000 }, async () => {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const path = '/lab_report/v1/parser/job';
  const field = `--b\r\ncontent-disposition: form-data; name="user_id"\r\n\r\n${userId}\r\n`;
  const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="r.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.4\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'x-service-api-key': caller.key };
  const large = Buffer.concat([Buffer.from(field + file), Buffer.alloc(9_900_000)]);
  const uploads = Array.from({ length: 8 }, () => begin(path, headers, large));
  expect(await Promise.race(uploads.map(({ status }) => status))).toBe(503);
  for (const { call } of uploads) call.destroy();
  const small = async () =>
    (await caller.call('POST', path, `${field}${file}--b--\r\n`, { 'content-type': headers['content-type'] })).status;
  await expect.poll(small, { timeout: 20_000 }).toBe(200);
});

it('a connection without a key that sends thousands of requests ahead is ended', async () => {
  const socket = connect(port, '127.0.0.1')
    .on('error', () => {})
    .resume();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('GET /v2/user HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20_000));
  await closed;
  expect((await harness.bare('GET', '/health/live')).status).toBe(404);
});

it.each(['/v2/push/lab_partner/nobody', '/v2/user'])(
  'a body in chunks of one byte is ended early: %s',
  { timeout: 60_000 },
  async (path) => {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const headers = `host: x\r\nx-service-api-key: ${caller.key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked`;
    socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    const chunks = '1\r\n \r\n'.repeat(10_000);
    while (!socket.destroyed && socket.bytesWritten < 6_000_000)
      if (!socket.write(chunks)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
    await closed;
    expect(socket.bytesWritten).toBeLessThan(6_000_000);
  },
);

it('a body in chunks of a usual size is read', async () => {
  const body = JSON.stringify({ client_user_id: randomUUID(), unknown: 'x'.repeat(300_000) });
  const headers = { 'content-type': 'application/json', 'x-service-api-key': caller.key };
  const { call, status } = begin('/v2/user', headers, Buffer.from(body.slice(0, 1000)));
  for (let at = 1000; at < body.length; at += 1000) call.write(body.slice(at, at + 1000));
  call.end();
  expect(await status).toBe(200);
});

it('batches of a team that unfold hold at most 64 MB of memory, whatever their number', { timeout: 60_000 }, async () => {
  const body = gzipSync(Buffer.concat([Buffer.from('{"provider":"zz"'), Buffer.alloc(20 * 1024 * 1024 - 20, ' '), Buffer.from('}')]));
  const phones = await Promise.all(Array.from({ length: 12 }, () => harness.newPhone(caller)));
  const statuses = await Promise.all(
    phones.map(({ userId, token }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const { call, status } = begin(`/api/v1/sdk/users/${userId}/sync`, { ...headers, 'content-length': String(body.length) }, body);
      call.end();
      return status;
    }),
  );
  expect([...new Set(statuses)].toSorted((a, b) => a - b)).toEqual([400, 503]);
});

it('unfinished batches of one team leave room for the phones of other teams', { timeout: 60_000 }, async () => {
  const phones = [phone, await harness.newPhone(caller), await harness.newPhone(caller)];
  const calls = phones.flatMap(({ userId, token }) =>
    [1, 2].map(() => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '20971520' };
      return begin(`/api/v1/sdk/users/${userId}/sync`, headers, Buffer.alloc(20_900_000, ' '));
    }),
  );
  expect(await Promise.race(calls.map(({ status }) => status))).toBe(503);
  const other = await harness.newPhone(await harness.newCaller());
  expect((await other.sync('apple', { records: [] })).status).toBe(202);
  for (const { call } of calls) call.destroy();
});

it('bodies that a team announces and does not send hold at most 32 MB of memory, and none once they end', { timeout: 60_000 }, async () => {
  const team = await harness.newCaller();
  const headers = { 'content-type': 'application/json', 'content-length': '1000000', 'x-service-api-key': team.key };
  const slow = Array.from({ length: 40 }, () => begin('/v2/user', headers, Buffer.from('{')));
  expect(await Promise.race(slow.map(({ status }) => status))).toBe(503);
  expect((await caller.call('POST', '/v2/user', { client_user_id: randomUUID(), unknown: 'x'.repeat(20_000) })).status).toBe(200);
  for (const { call } of slow) call.destroy();
  const own = async () => (await team.call('POST', '/v2/user', { client_user_id: randomUUID(), unknown: 'x'.repeat(20_000) })).status;
  await expect.poll(own, { timeout: 20_000 }).toBe(200);
});

it('a body with thousands of failing fields is read no further than its response can say', async () => {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const kinds = ['heartrate', 'steps', 'glucose', 'weight', 'distance'];
  const samples = Object.fromEntries(kinds.map((kind) => [kind, Array.from({ length: 9000 }, () => ({}))]));
  const { status, body } = await caller.call('POST', `/v2/user/${userId}/data/apple_health_kit`, { source: { type: 'watch' }, samples });
  expect([status, body.detail.length]).toEqual([422, 200]);
});

it('a refusal repeats at most 64 kB of what was sent', async () => {
  const { body: endpoint } = await caller.call('POST', '/v2/team/webhook', { url: 'https://example.com/hook' });
  const headers = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`bad name ${i}`, 'x'.repeat(900)]));
  const reply = await caller.call('PUT', `/v2/team/webhook/${endpoint.id}/headers`, { headers });
  expect(reply.status).toBe(422);
  expect(reply.text.length).toBeLessThan(150_000);
});

it('a refusal stays small when one long name holds hundreds of failing fields', async () => {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const minerals = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`a${i}`, 'x']));
  const meal = [{ data: { ['k'.repeat(500_000)]: { micros: { minerals } } } }];
  const reply = await caller.call('POST', `/v2/user/${userId}/data/apple_health_kit`, { source: { type: 'phone' }, summaries: { meal } });
  expect(reply.status).toBe(422);
  expect(reply.text.length).toBeLessThan(150_000);
  const listed = await caller.call('POST', '/v2/team/webhook', { url: 'https://example.com/x', filter_types: Array(300).fill('x') });
  expect([listed.status, listed.text.length < 150_000]).toEqual([422, true]);
});
