import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts';

const open: { server: Server; client: HttpClient }[] = [];

async function start(listener: RequestListener, options: Partial<HttpClientOptions> = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createHttpClient({ userAgent: 'pulsewire-test', ...options });
  open.push({ server, client });
  return { client, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

afterEach(async () => {
  for (const { server, client } of open.splice(0)) {
    client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

describe('createHttpClient', () => {
  it('returns status, headers and parsed JSON for any status', async () => {
    const { client, url } = await start((request, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'Retry-After': '12' });
      response.end(JSON.stringify({ agent: request.headers['user-agent'], query: request.url }));
    });
    const answer = await client.send({ method: 'GET', url: `${url}/a?x=1`, query: { y: 'ä b' } });
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('12');
    expect(answer.body).toEqual({ agent: 'pulsewire-test', query: '/a?x=1&y=%C3%A4+b' });
  });

  it('posts a form with Basic authentication', async () => {
    const { client, url } = await start((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      const { 'content-type': type, authorization: auth } = request.headers;
      request.on('end', () => response.end(JSON.stringify({ body, type, auth })));
    });
    const form = { grant_type: 'refresh_token', refresh_token: 'a+b' };
    const answer = await client.send({ method: 'POST', url, form, basicAuth: { username: 'id', password: 's:1' } });
    expect(answer.body).toEqual({
      body: 'grant_type=refresh_token&refresh_token=a%2Bb',
      type: 'application/x-www-form-urlencoded',
      auth: `Basic ${Buffer.from('id:s:1').toString('base64')}`,
    });
  });

  it.each(['POST', 'DELETE'] as const)('sends a %s without a body and does not wait for one', async (method) => {
    const { client, url } = await start((request, response) => {
      request.resume().on('end', () => response.writeHead(204, { 'x-length': request.headers['content-length'] }).end());
    });
    const answer = await client.send({ method, url });
    expect(answer).toMatchObject({ status: 204, headers: { 'x-length': '0' }, body: undefined });
  });

  it('never repeats a call', async () => {
    let calls = 0;
    const { client, url } = await start((_request, response) => {
      calls += 1;
      response.writeHead(503).end();
    });
    expect((await client.send({ method: 'GET', url })).status).toBe(503);
    expect(calls).toBe(1);
  });

  it('stops reading at the size cap, counted after decompression', async () => {
    const { client, url } = await start(
      (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(5_000_000)));
      },
      { responseBytesMax: 100_000 },
    );
    expect(await failure(client.send({ method: 'GET', url }))).toMatchObject({ code: 'provider_permanent', retryable: false });
  });

  it('enforces the total deadline when the response trickles', async () => {
    const { client, url } = await start(
      (_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
      { totalTimeoutMs: 200 },
    );
    expect(await failure(client.send({ method: 'GET', url }))).toMatchObject({
      code: 'provider_transient',
      retryable: true,
      details: { reason: 'ETIMEDOUT' },
    });
  });

  it('uses the deadline of the call instead of the default where it is given', async () => {
    const slow = (delayMs: number) =>
      start((_request, response) => void setTimeout(() => response.end('{}'), delayMs), { totalTimeoutMs: 100 });
    const late = await slow(300);
    expect(await late.client.send({ method: 'GET', url: late.url, totalTimeoutMs: 5_000 })).toMatchObject({ status: 200 });
    expect(await failure(late.client.send({ method: 'GET', url: late.url, totalTimeoutMs: 50 }))).toMatchObject({
      code: 'provider_transient',
    });
  });

  it('treats a response that breaks off as no response', async () => {
    const { client, url } = await start((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"a":1}');
      setImmediate(() => response.destroy());
    });
    expect(await failure(client.send({ method: 'GET', url }))).toMatchObject({ code: 'provider_transient', retryable: true });
  });

  it('does not follow a redirect to another origin', async () => {
    const other = await start((_request, response) => response.end('{"secret":1}'));
    const { client, url } = await start((_request, response) => response.writeHead(302, { location: other.url }).end());
    expect((await client.send({ method: 'GET', url })).status).toBe(302);
  });

  it('follows a redirect within the origin for GET, never for a form', async () => {
    const { client, url } = await start((request, response) => {
      if (request.url === '/new') response.end('{"arrived":true}');
      else response.writeHead(307, { location: '/new' }).end();
    });
    expect((await client.send({ method: 'GET', url })).body).toEqual({ arrived: true });
    expect((await client.send({ method: 'POST', url, form: { code: 'x' } })).status).toBe(307);
  });

  it('returns a redirect with its cookies and its address when the caller requests redirects', async () => {
    const { client, url } = await start((_request, response) => {
      response.writeHead(302, { location: '/new', 'set-cookie': ['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'] }).end();
    });
    const answer = await client.send({ method: 'GET', url: `${url}/old`, keepsRedirects: true });
    expect(answer).toMatchObject({ status: 302, url: `${url}/old`, headers: { location: '/new' } });
    expect(answer.headers['set-cookie']).toBe('a=1; Path=/, b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT');
  });

  it('does not include the query or the token in an error', async () => {
    const { client, url } = await start((request) => request.destroy());
    const headers = { authorization: 'Bearer hidden-token' };
    const error = await failure(client.send({ method: 'GET', url: `${url}/p?access_token=hidden-token`, headers }));
    expect(error).toMatchObject({ code: 'provider_transient' });
    const everything = JSON.stringify({ error, cause: (error as Error).cause, stack: (error as Error).stack });
    expect(everything).not.toContain('hidden-token');
  });

  it('throws the reason of the signal when the caller aborts', async () => {
    const { client, url } = await start(() => undefined);
    const controller = new AbortController();
    const pending = failure(client.send({ method: 'GET', url, signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('shutting down')), 20);
    expect(await pending).toMatchObject({ message: 'shutting down' });
  });

  it('keeps the digits of an integer that a double would round', async () => {
    const { client, url } = await start((_request, response) =>
      response.end('{"logId":9007199254740993,"n":1234567890123456,"x":0.1234567890123456}'),
    );
    expect((await client.send({ method: 'GET', url })).body).toEqual({
      logId: '9007199254740993',
      n: 1234567890123456,
      x: 0.1234567890123456,
    });
  });

  it('returns no parsed body for text that is not JSON, but its bytes', async () => {
    const { client, url } = await start((_request, response) => response.end('<html>'));
    expect(await client.send({ method: 'GET', url })).toMatchObject({ body: undefined, bytes: Buffer.from('<html>') });
  });
});
