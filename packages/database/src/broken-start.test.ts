import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from './client.ts';

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

let server: net.Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

it('a server that crashes while a connection loads its types fails the statement with nothing unhandled', async () => {
  let connections = 0;
  server = net.createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]));
      // The next query is the one for the types.
      socket.once('data', () => socket.resetAndDestroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const unhandled: unknown[] = [];
  const collect = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', collect);
  const { port } = server.address() as net.AddressInfo;
  const database = openDatabase({ url: `postgres://user:secret@127.0.0.1:${port}/none`, name: 'broken-start', connectionsMax: 1 });
  try {
    await expect(database.sql`SELECT 1`).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|CONNECTION_CLOSED/) });
    await new Promise((resolve) => setImmediate(resolve));
    expect([connections > 0, unhandled]).toEqual([true, []]);
  } finally {
    process.off('unhandledRejection', collect);
    await database.close();
  }
});
