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
    overrides: {
      pipelinedMax: 200,
      deadlines: { headersMs: 3000, bodyMs: 3000, silenceMs },
      ...(unsentBytesMax !== undefined && { unsentBytesMax }),
    },
  });
  ({ port } = await harness.api.listen());
  caller = await harness.newCaller();
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await harness.close();
});

/** Sends this many requests on one connection and reads no response. */
async function requestWithoutReading(times: number, of = path): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => {}).pause();
  await once(socket, 'connect');
  socket.write(`GET ${of} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${caller.key}\r\n\r\n`.repeat(times));
  return socket;
}

const statusOf = async ({ call }: Caller) => (await call('GET', '/v2/providers')).status;

describe('a client that sends requests and does not read the responses', () => {
  test('gets 429 for its own team only while much is unread, until it disconnects', { timeout: 60_000 }, async () => {
    // Bytes in the socket buffers of the operating system do not count, so the test requests far more than they hold.
    await start({ unsentBytesMax: 1_000_000 });
    const other = await harness.newCaller();
    const socket = await requestWithoutReading(150);
    await expect.poll(() => statusOf(caller), { timeout: 30_000 }).toBe(429);
    expect(await statusOf(other)).toBe(200);
    expect((await caller.call('GET', '/v2/providers')).headers['retry-after']).toBe('1');
    socket.destroy();
    await expect.poll(() => statusOf(caller), { timeout: 30_000 }).toBe(200);
  });

  test('counts all of its open streams, including those queued behind others', { timeout: 60_000 }, async () => {
    await start({ unsentBytesMax: 3 * 1024 * 1024 });
    const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: 'many' })).body;
    const { sql } = database.current;
    const [source] = await sql<{ id: number }[]>`
      INSERT INTO sources (team_id, user_id, provider, source_type) VALUES (${caller.team.teamId}, ${userId}, 'oura', 'ring')
      RETURNING user_source_id AS id`;
    const [series] = await sql<{ series: number }[]>`
      INSERT INTO series (resource, sub_kind) VALUES ('heartrate', '') ON CONFLICT (resource, sub_kind) DO UPDATE SET resource = 'heartrate'
      RETURNING series`;
    await sql`
      INSERT INTO samples (user_source_id, series, ts, version, value)
      SELECT ${source?.id ?? 0}, ${series?.series ?? 0}, to_timestamp(1767225600 + i), 1, 60 FROM generate_series(1, 100000) AS i`;
    const socket = await requestWithoutReading(10, `/v2/timeseries/${userId}/heartrate?start_date=2026-01-01`);
    await expect.poll(() => statusOf(caller), { timeout: 30_000 }).toBe(429);
    socket.destroy();
    await expect.poll(() => statusOf(caller), { timeout: 30_000 }).toBe(200);
  });

  test('is not limited while it is reading', async () => {
    await start({ unsentBytesMax: 1_000_000 });
    for (let round = 0; round < 20; round += 1) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-service-api-key': caller.key } });
      expect([response.status, (await response.text()).length]).toEqual([200, expect.toSatisfy((length) => length > 100_000)]);
    }
  });

  test('is disconnected when its connection stalls', { timeout: 60_000 }, async () => {
    await start({ silenceMs: 500 });
    const server = harness.api.app.server;
    const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    await requestWithoutReading(150);
    await expect.poll(connections).toBe(1);
    await expect.poll(connections, { timeout: 30_000 }).toBe(0);
  });
});
