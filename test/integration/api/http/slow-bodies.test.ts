import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Logger } from '@pulsewire/kernel';
import { updateTeam, putOAuthCredential } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { linkPageRoutes } from '@pulsewire/service-console';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const lines: { level: string; event: string; fields: Record<string, unknown> }[] = [];
const write = (level: string) => (fields: object, event: string) =>
  void lines.push({ level, event, fields: fields as Record<string, unknown> });
const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), child: () => logger };
let harness: ApiHarness;
let caller: Caller;
let port: number;

beforeAll(async () => {
  harness = await createApiHarness(database.current, {
    logger,
    overrides: { deadlines: { headersMs: 3000, bodyMs: 300, silenceMs: 120_000 }, mount: linkPageRoutes },
  });
  ({ port } = await harness.api.listen());
  caller = await harness.newCaller();
  await updateTeam(database.current, caller.team.teamId, { bulkOperations: true });
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
  const application = { clientId: 'id', clientSecret: 'secret', redirectUrlOverride: null };
  await putOAuthCredential(
    database.current,
    { cipher, clock: harness.clock },
    { teamId: caller.team.teamId, provider: 'fitbit', ...application },
  );
});
afterAll(() => harness.close());

const head = (method: string, path: string, headers: Record<string, string>) =>
  [`${method} ${path} HTTP/1.1`, 'host: x', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');

async function open(): Promise<Socket & { readonly seen: () => string }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => {});
  await once(socket, 'connect');
  return Object.assign(socket, { seen: () => text });
}

const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '10000' };
const json = { 'content-type': 'application/json', 'content-length': '10000' };

describe('a client that sends its request byte by byte', () => {
  test.each([
    ['the link page', 'POST', '/link/form', form],
    ['an unknown path', 'POST', '/nothing/here', json],
    ['an unknown method of a path', 'PUT', '/openapi.json', json],
    ['an endpoint without a key', 'POST', '/v2/user', json],
    ['a GET with a body', 'GET', '/openapi.json', json],
  ])('is cut off at %s', async (_where, method, path, headers) => {
    const socket = await open();
    const drops = setInterval(() => socket.write('x'), 50);
    socket.write(head(method, path, headers));
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drops);
    expect(socket.destroyed).toBe(true);
  });

  test('is cut off before its headers have ended', async () => {
    const socket = await open();
    const drops = setInterval(() => socket.write('x'), 50);
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\nx-long: ');
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drops);
    expect(socket.seen()).toMatch(/^HTTP\/1\.1 408 |^$/);
  });
});

describe('a request whose client disconnects while it sends the body', () => {
  test.each(['/v2/user', '/v2/link/bulk_import', '/v2/push/:provider'])('is logged as aborted, not as an error: %s', async (path) => {
    lines.length = 0;
    const socket = await open();
    socket.write(head('GET', '/v2/providers', { 'x-service-api-key': caller.key }));
    socket.write(
      `${head('POST', path.replace(':provider', 'fitbit'), { ...json, 'x-service-api-key': caller.key })}{"provider":"fitbit","connections":[`,
    );
    // Once it responds to the previous request on this connection, the server has begun to read this one.
    await expect.poll(socket.seen).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    await expect.poll(() => lines.filter(({ event }) => event === 'request.aborted').length).toBe(1);
    expect(lines.find(({ event }) => event === 'request.aborted')?.fields).toMatchObject({ method: 'POST', route: path, status: 499 });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a streamed body that is rejected before its end', () => {
  const start = `{"provider":"fitbit","connections":[${'['.repeat(64)}`;

  test('leaves the connection usable when only a little of it is unread', async () => {
    const socket = await open();
    const length = start.length + 5000;
    const headers = { 'content-type': 'application/json', 'x-service-api-key': caller.key, 'content-length': String(length) };
    socket.write(head('POST', '/v2/link/bulk_import', headers) + start);
    await expect.poll(socket.seen).toMatch(/^HTTP\/1\.1 422 /);
    socket.write(' '.repeat(5000));
    socket.write(head('GET', '/v2/providers', { 'x-service-api-key': caller.key }));
    await expect.poll(socket.seen).toMatch(/HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('closes the connection, with a Connection header, when more is unread', async () => {
    const socket = await open();
    const headers = { 'content-type': 'application/json', 'x-service-api-key': caller.key, 'content-length': '300000000' };
    socket.write(head('POST', '/v2/link/bulk_import', headers) + start);
    await once(socket, 'end');
    expect(socket.seen()).toMatch(/^HTTP\/1\.1 422 [^]*\r\nconnection: close\r\n[^]*json_invalid/i);
    socket.destroy();
  });

  test('delivers the response to a client that is still sending', async () => {
    const body = start + ' '.repeat(8_000_000);
    const headers = { 'content-type': 'application/json', 'x-service-api-key': caller.key };
    const response = await fetch(`http://127.0.0.1:${port}/v2/link/bulk_import`, { method: 'POST', headers, body });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('json_invalid')]);
  });
});
