import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { sleep } from '@pulsewire/kernel';
import { afterEach, describe, expect, test, vi } from 'vitest';
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

describe('a server that accepts connections and closes them at once', () => {
  test('is called again only after a pause, once it has done so several times', async () => {
    const server = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    open.push(server);
    await once(server, 'listening');
    const address = { host: ['127.0.0.1'], port: [(server.address() as AddressInfo).port], path: undefined };
    const openNext = opener();
    const closeNext = async () => {
      const socket = await openNext(address);
      socket.on('error', () => {}).resume();
      await once(socket, 'close');
    };
    for (let calls = 0; calls < 4; calls++) await closeNext();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      let isOpened = false;
      const next = openNext(address).then((socket) => {
        isOpened = true;
        socket.on('error', () => {}).resume();
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(isOpened).toBe(false);
      await vi.advanceTimersByTimeAsync(1000);
      await next;
    } finally {
      vi.useRealTimers();
    }
  });
});
