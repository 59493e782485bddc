import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { sleep } from '@pulsewire/kernel';
import { afterEach, describe, expect, test } from 'vitest';
import { createSocketOpener } from './watched-socket.ts';

const responseMaxMs = 50;
const opener = () => createSocketOpener({ isWatched: true, responseMaxMs });
const open: { close(): unknown }[] = [];

afterEach(() => {
  for (const item of open.splice(0)) item.close();
});

async function serverThat(responds: boolean): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('data', () => responds && socket.write('x'));
    socket.on('error', () => {});
    open.push({ close: () => socket.destroy() });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  return (server.address() as AddressInfo).port;
}

describe('a connection to Postgres', () => {
  test('is closed when a statement gets no response for too long', async () => {
    const socket = await opener()({ host: ['127.0.0.1'], port: [await serverThat(false)], path: undefined });
    socket.write('a statement');
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toBe('Postgres did not respond');
  });

  test('stays open while statements get responses, and while it is idle', async () => {
    const socket = await opener()({ host: ['127.0.0.1'], port: [await serverThat(true)], path: undefined });
    open.push({ close: () => socket.destroy() });
    let isClosed = false;
    socket.once('close', () => (isClosed = true));
    for (let i = 0; i < 3; i++) {
      socket.write('a statement');
      await once(socket, 'data');
    }
    await sleep(2 * responseMaxMs);
    expect(isClosed).toBe(false);
  });
});
