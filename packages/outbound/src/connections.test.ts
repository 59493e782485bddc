import { createSecureServer } from 'node:http2';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressGuard } from './address/address-guard.ts';
import type { SendResult } from './exchange.ts';
import { certificate, privateKey } from './testing/certificate.ts';
import { createSilentListener, type SilentListener } from './testing/silent-listener.ts';
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';

const guard = createAddressGuard({ allowedNetworks: ['127.0.0.0/8'] });
const cleanups: (() => Promise<unknown>)[] = [];
const sockets = new Set<Socket>();

function sender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const made = createWebhookSender({ guard, ...options });
  cleanups.push(() => made.close());
  return made;
}

async function listen(server: Server): Promise<number> {
  cleanups.unshift(() => new Promise((resolve) => server.close(resolve)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Calls back with each complete request: its socket, and how many that socket had before. */
async function serve(onRequest: (socket: Socket, before: number) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    let before = 0;
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!received.endsWith('\r\n\r\n{}')) return;
      received = '';
      onRequest(socket, before++);
    });
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const message = (origin: string) => ({ origin, path: '/hook', headers: [], body: Buffer.from('{}') });
const named = (origin: string, name = 'hook.example') => message(origin.replace('127.0.0.1', name));

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

describe('a name with several addresses', () => {
  async function silent(port: string): Promise<SilentListener> {
    const listener = await createSilentListener('127.0.0.3', Number(port));
    cleanups.push(() => listener.close());
    return listener;
  }

  it('is reached through the second address when the first drops packets', async () => {
    const origin = await serve((socket) => socket.write(ok));
    await silent(new URL(origin).port);
    const resolveName = async () => ['127.0.0.3', '127.0.0.1'];
    expect(await sender({ resolveName }).send(named(origin))).toMatchObject({ outcome: 'delivered', status: 200 });
  });

  it('reports that the time is up when no address accepts the connection', async () => {
    const origin = await serve((socket) => socket.write(ok));
    await silent(new URL(origin).port);
    const resolveName = async () => ['127.0.0.3', '127.0.0.99'];
    const result = await sender({ resolveName, connectTimeoutMs: 1000 }).send(named(origin));
    expect(result).toMatchObject({ outcome: 'failed', error: 'connect_timeout' });
  });

  it('is called on no address when the last of them is forbidden', async () => {
    let calls = 0;
    const origin = await serve((socket) => {
      calls += 1;
      socket.write(ok);
    });
    const resolveName = async () => ['127.0.0.1', '127.0.0.1', '127.0.0.1', '10.0.0.1'];
    expect(await sender({ resolveName }).send(named(origin))).toMatchObject({ outcome: 'failed', error: 'address_blocked' });
    expect(calls).toBe(0);
  });
});

describe('an interim response', () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n';

  it.each([
    ['100 Continue', interim],
    ['100 Continue with headers, twice', 'HTTP/1.1 100 Continue\r\nx-a: HTTP/1.1 100\r\n\r\n'.repeat(2)],
    ['100 after 103', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${interim}`],
  ])('before the response is skipped: %s', async (_name, text) => {
    let calls = 0;
    const origin = await serve((socket) => {
      calls += 1;
      socket.write(text + ok);
    });
    const one = sender();
    expect(await one.send(message(origin))).toMatchObject({ outcome: 'delivered', status: 200 });
    expect(await one.send(message(origin))).toMatchObject({ outcome: 'delivered', status: 200 });
    expect(calls).toBe(2);
  });

  it('is skipped when it arrives byte by byte', async () => {
    const origin = await serve((socket) => {
      socket.setNoDelay(true);
      const bytes = [...Buffer.from(interim + ok)];
      const next = () => void (bytes.length > 0 && socket.write(Buffer.from(bytes.splice(0, 1)), () => setImmediate(next)));
      next();
    });
    expect(await sender().send(message(origin))).toMatchObject({ outcome: 'delivered', status: 200 });
  });

  it('leaves the body of the response unchanged', async () => {
    const body = 'HTTP/1.1 100 Continue\r\n\r\n100';
    const origin = await serve((socket) => socket.write(`HTTP/1.1 500 No\r\ncontent-length: ${body.length}\r\n\r\n${body}`));
    expect(await sender().send(message(origin))).toMatchObject({ outcome: 'refused', status: 500, bodyKept: Buffer.from(body) });
  });
});

describe('a connection that the receiver closes', () => {
  /** Sends until a request arrives on a reused connection; from then on `onRequest` responds. Returns the last result, and those requests. */
  async function sendOnReused(onRequest: (socket: Socket, call: number) => void): Promise<{ result: SendResult; calls: number }> {
    let calls = 0;
    const origin = await serve((socket, before) => {
      if (before === 0 && calls === 0) return void socket.write(ok);
      calls += 1;
      onRequest(socket, calls);
    });
    const one = sender();
    let result = await one.send(message(origin));
    // The connection of the previous request may not be free yet; then a new one is opened.
    while (calls === 0) result = await one.send(message(origin));
    return { result, calls };
  }

  it('while it is idle costs no attempt: the request is repeated on a new one', async () => {
    const { result, calls } = await sendOnReused((socket, call) => (call === 1 ? socket.destroy() : socket.write(ok)));
    expect(result).toMatchObject({ outcome: 'delivered' });
    expect(calls).toBe(2);
  });

  it('at its first request ends the attempt: nothing is repeated', async () => {
    let calls = 0;
    const origin = await serve((socket) => {
      calls += 1;
      socket.destroy();
    });
    expect(await sender().send(message(origin))).toMatchObject({ outcome: 'failed', error: 'connection_closed' });
    expect(calls).toBe(1);
  });

  it('after the first byte of a response ends the attempt: nothing is repeated', async () => {
    const { result, calls } = await sendOnReused((socket) => socket.end('HTTP/1.1 '));
    expect(result).toMatchObject({ outcome: 'failed' });
    expect(calls).toBe(1);
  });

  it('again after the repetition ends the attempt', async () => {
    const { result, calls } = await sendOnReused((socket) => socket.destroy());
    expect(result).toMatchObject({ outcome: 'failed', error: 'connection_closed' });
    expect(calls).toBe(2);
  });
});

describe('a receiver that offers only HTTP/2', () => {
  it('is reported as one that needs HTTP/1.1 when TLS cannot agree on a protocol', async () => {
    const port = await listen(createSecureServer({ key: privateKey, cert: certificate, ALPNProtocols: ['h2'] }));
    const result = await sender({ ca: certificate, resolveName: async () => ['127.0.0.1'] }).send(message(`https://hook.example:${port}`));
    expect(result).toMatchObject({ outcome: 'failed', error: 'http1_required' });
  });

  it('is reported as one that needs HTTP/1.1 when it answers with frames', async () => {
    const origin = await serve((socket) => socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])));
    expect(await sender().send(message(origin))).toMatchObject({ outcome: 'failed', error: 'http1_required' });
  });
});
