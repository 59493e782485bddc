import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressGuard } from './address/address-guard.ts';
import { certificate, privateKey } from './testing/certificate.ts';
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';

const servers: Server[] = [];
const senders: WebhookSender[] = [];
const loopback = createAddressGuard({ allowedNetworks: ['127.0.0.0/8'] });

function sender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const made = createWebhookSender({ guard: loopback, ...options });
  senders.push(made);
  return made;
}

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener): Promise<string> => `http://127.0.0.1:${await listen(createServer(listener))}`;
const message = (origin: string, headers: readonly string[] = []) => ({ origin, path: '/hook?a=1', headers, body: Buffer.from('{"ä":1}') });

afterEach(async () => {
  await Promise.all(senders.splice(0).map((one) => one.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('createWebhookSender', () => {
  it('posts the exact bytes with the given headers and returns the response', async () => {
    let seen: unknown;
    const origin = await serve((request, response) => {
      const { method, url, headers } = request;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen = { method, url, length: headers['content-length'], id: headers['webhook-id'], body: Buffer.concat(chunks).toString() };
        response.writeHead(201).end('thanks');
      });
    });
    const result = await sender().send(message(origin, ['webhook-id', 'msg_1']));
    expect(result).toMatchObject({ outcome: 'delivered', status: 201, bodyKept: Buffer.from('thanks') });
    expect(seen).toEqual({ method: 'POST', url: '/hook?a=1', length: '8', id: 'msg_1', body: '{"ä":1}' });
  });

  it.each([301, 302, 307, 400, 404, 410, 500, 503])('treats %i as a refusal and makes only one request', async (status) => {
    let calls = 0;
    const origin = await serve((_request, response) => {
      calls += 1;
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '7' }).end();
    });
    expect(await sender().send(message(origin))).toMatchObject({ outcome: 'refused', status, retryAfterMs: 7000 });
    expect(calls).toBe(1);
  });

  it.each([
    [400, 'abort-message', 'abort-message'],
    [503, ' Disable ', 'disable'],
    [204, 'disable', 'disable'],
    [500, 'something', undefined],
    [500, undefined, undefined],
  ])('returns what the receiver requests with webhook-delivery: %i %s', async (status, header, control) => {
    const origin = await serve((_request, response) => {
      response.writeHead(status, header === undefined ? {} : { 'webhook-delivery': header }).end();
    });
    expect(await sender().send(message(origin))).toMatchObject({ status, control });
  });

  it.each(['/a b', '/a\r\nhost: other', '/a\u010d\u010ahost: other', 'no-slash'])(
    'refuses a path that would break out of its line: %s',
    async (path) => {
      let calls = 0;
      const origin = await serve((_request, response) => {
        calls += 1;
        response.end();
      });
      expect(await sender().send({ ...message(origin), path })).toMatchObject({ outcome: 'failed', error: 'request_invalid' });
      expect(calls).toBe(0);
    },
  );

  it('keeps the first part of a long response', async () => {
    const origin = await serve((_request, response) => response.writeHead(500).end('x'.repeat(100_000)));
    const result = await sender().send(message(origin));
    expect(result).toMatchObject({ outcome: 'refused', status: 500 });
    expect('bodyKept' in result && result.bodyKept.length).toBe(65_536);
  });

  // The last one becomes a line break when its characters are truncated to bytes.
  it.each(['a\r\nx-injected: 1', 'a\nb', 'a\0b', 'a\u010d\u010ax-injected: 1'])(
    'refuses a header value that would break out of its line',
    async (value) => {
      let calls = 0;
      const origin = await serve((_request, response) => {
        calls += 1;
        response.end();
      });
      expect(await sender().send(message(origin, ['x-own', value]))).toMatchObject({ outcome: 'failed', error: 'request_invalid' });
      expect(calls).toBe(0);
    },
  );

  it('connects neither to a forbidden literal address nor to a name that resolves to one', async () => {
    let calls = 0;
    const origin = await serve((_request, response) => {
      calls += 1;
      response.end();
    });
    const guarded = sender({ guard: createAddressGuard(), resolveName: async () => ['93.184.215.14', '127.0.0.1'] });
    for (const target of [origin, origin.replace('127.0.0.1', 'two-faced.example'), 'http://[::1]:80', 'http://[::ffff:127.0.0.1]:80']) {
      expect(await guarded.send(message(target))).toMatchObject({ outcome: 'failed', error: 'address_blocked' });
    }
    expect(calls).toBe(0);
  });

  it('connects to the checked address even when the name changes afterwards', async () => {
    let calls = 0;
    const origin = await serve((_request, response) => {
      calls += 1;
      response.end();
    });
    let lookups = 0;
    const resolveName = async () => [(lookups += 1) === 1 ? '127.0.0.1' : '169.254.169.254'];
    const result = await sender({ resolveName }).send(message(origin.replace('127.0.0.1', 'rebinding.example')));
    expect(result).toMatchObject({ outcome: 'delivered', status: 200 });
    expect([lookups, calls]).toEqual([1, 1]);
  });

  it('tries the next checked address when one does not respond', async () => {
    const origin = await serve((_request, response) => response.end());
    const result = await sender({ resolveName: async () => ['127.0.0.99', '127.0.0.1'] }).send(
      message(origin.replace('127.0.0.1', 'host.example')),
    );
    expect(result).toMatchObject({ outcome: 'delivered' });
  });

  it('reports why no response arrived', async () => {
    const closed = createServer();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const unresolved = sender({ resolveName: () => Promise.reject(new Error('no such name')) });
    expect(await unresolved.send(message('http://nowhere.example'))).toMatchObject({ outcome: 'failed', error: 'dns_failed' });
    expect(await sender().send(message(`http://127.0.0.1:${port}`))).toMatchObject({ outcome: 'failed', error: 'connect_failed' });
    const rude = await serve((request) => request.socket.destroy());
    expect(await sender().send(message(rude))).toMatchObject({ outcome: 'failed', error: 'connection_closed' });
  });

  it('fails when a name does not resolve in time', async () => {
    const slow = sender({ resolveName: () => new Promise(() => {}), connectTimeoutMs: 50 });
    expect(await slow.send(message('http://slow.example'))).toMatchObject({ outcome: 'failed', error: 'connect_timeout' });
  });

  it('ends an exchange at its deadline, whatever the server does', async () => {
    const silent = await serve(() => {});
    const hour = sender({ totalTimeoutMs: 3_600_000 }).send(message(silent));
    // A sender without a deadline of its own would leave both waiting.
    const first = Promise.race([hour, sender({ totalTimeoutMs: 150 }).send(message(silent))]);
    expect(await first).toMatchObject({ outcome: 'failed', error: 'timeout' });
  });

  it('accepts a response whose headers arrive late but before the deadline', async () => {
    const slow = await serve((_request, response) => void setTimeout(() => response.writeHead(204).end(), 12_000));
    expect(await sender().send(message(slow))).toMatchObject({ outcome: 'delivered', status: 204 });
  }, 20_000);

  it('aborts attempts in progress when it is closed', async () => {
    const arrived = Promise.withResolvers<void>();
    const silent = await serve(() => arrived.resolve());
    const closing = sender();
    const pending = closing.send(message(silent));
    await arrived.promise;
    await closing.close();
    expect(await pending).toMatchObject({ outcome: 'failed', error: 'aborted' });
    expect(await closing.send(message(silent))).toMatchObject({ outcome: 'failed', error: 'aborted' });
  });

  it('reuses the connection of an earlier request', async () => {
    const sockets = new Set<unknown>();
    const origin = await serve((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    const one = sender();
    for (let i = 0; i < 20; i++) await one.send(message(origin));
    // The next request may start before the connection of the previous one is free again.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('checks the certificate against the name although it connects to a resolved address', async () => {
    const port = await listen(createTlsServer({ key: privateKey, cert: certificate }, (_request, response) => response.end('ok')));
    const resolveName = async () => ['127.0.0.1'];
    const trusted = sender({ resolveName, ca: certificate });
    expect(await trusted.send(message(`https://hook.example:${port}`))).toMatchObject({ outcome: 'delivered' });
    expect(await trusted.send(message(`https://other.example:${port}`))).toMatchObject({ outcome: 'failed', error: 'tls_failed' });
    expect(await sender({ resolveName }).send(message(`https://hook.example:${port}`))).toMatchObject({
      outcome: 'failed',
      error: 'tls_failed',
    });
  });
});
