import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const path = '/v2/team/event_types';
let harness: ApiHarness;
let port: number;
let caller: Caller;
const sockets: Socket[] = [];

async function start(overrides: { readonly unsentBytesMax?: number; readonly silenceMs?: number }): Promise<void> {
  const { unsentBytesMax, silenceMs = 120_000 } = overrides;
  harness = await createApiHarness(database.current, {
    overrides: { deadlines: { headersMs: 3000, bodyMs: 3000, silenceMs }, ...(unsentBytesMax !== undefined && { unsentBytesMax }) },
  });
  ({ port } = await harness.api.listen());
  caller = await harness.newCaller();
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await harness.close();
});

/** Asks so many times on one connection, and reads nothing. */
async function askAndNotRead(times: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => {}).pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${caller.key}\r\n\r\n`.repeat(times));
  return socket;
}

const statusOf = async ({ call }: Caller) => (await call('GET', '/v2/providers')).status;

describe('a client that asks and does not read', () => {
  test('gets 429 for its team alone while much is unread, and responses again after it disconnects', { timeout: 60_000 }, async () => {
    // What the system takes off our hands does not count: far more than its buffers is asked for.
    await start({ unsentBytesMax: 1_000_000 });
    const other = await harness.newCaller();
    const socket = await askAndNotRead(150);
    await expect.poll(() => statusOf(caller), { timeout: 30_000 }).toBe(429);
    expect(await statusOf(other)).toBe(200);
    expect((await caller.call('GET', '/v2/providers')).headers['retry-after']).toBe('1');
    socket.destroy();
    await expect.poll(() => statusOf(caller), { timeout: 30_000 }).toBe(200);
  });

  test('may ask as much as it likes while it reads', async () => {
    await start({ unsentBytesMax: 1_000_000 });
    for (let round = 0; round < 20; round += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-service-api-key': caller.key } });
      expect([answer.status, (await answer.text()).length]).toEqual([200, expect.toSatisfy((length) => length > 100_000)]);
    }
  });

  test('is cut off when nothing moves on its connection', { timeout: 60_000 }, async () => {
    await start({ silenceMs: 500 });
    const server = harness.api.app.server;
    const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    await askAndNotRead(150);
    await expect.poll(connections).toBe(1);
    await expect.poll(connections, { timeout: 30_000 }).toBe(0);
  });
});
