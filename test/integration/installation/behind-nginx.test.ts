import { request, type RequestOptions } from 'node:https';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '@pulsewire/connections';
import { systemClock } from '@pulsewire/kernel';
import { useDatabase } from '../../support/database.ts';
import { isNginxInstalled, startNginx, type Proxy } from '../../support/nginx.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';

describe.skipIf(!isNginxInstalled)('the API behind nginx as configured in deploy/proxy', () => {
  const database = useDatabase();
  let harness: ApiHarness;
  let proxy: Proxy;
  let caller: Caller;
  let port: number;
  let console: Server;

  beforeAll(async () => {
    harness = await createApiHarness(database.current, { config: { trustedProxies: ['127.0.0.1/32'] as never[] } });
    caller = await harness.newCaller();
    ({ port } = await harness.api.listen());
    console = createServer(({ url }, response) => response.end(`link page at ${url}`)).listen(0, '127.0.0.1');
    await once(console, 'listening');
    proxy = await startNginx({ api: port, console: (console.address() as AddressInfo).port });
  });
  afterAll(async () => {
    await proxy.stop();
    console.close();
    await harness.close();
  });

  async function send(options: RequestOptions, body = ''): Promise<{ readonly status: number; readonly body: string }> {
    // nginx has a certificate of its own.
    const sent = request({ host: '127.0.0.1', port: proxy.port, rejectUnauthorized: false, ...options });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await text(response) };
  }

  it('serves requests with keys, and creates what they send', async () => {
    const headers = { 'x-service-api-key': caller.key, 'content-type': 'application/json' };
    const created = await send({ method: 'POST', path: '/v2/user', headers }, '{"client_user_id":"proxied"}');
    expect(created).toEqual({ status: 200, body: expect.stringContaining('proxied') });
  });

  it('leads to the link page with its path, and to nothing else there', async () => {
    const bodyOf = async (path: string) => (await send({ path })).body;
    expect(await bodyOf('/link?token=a')).toBe('link page at /link?token=a');
    expect(await bodyOf('/link/start?token=a')).toBe('link page at /link/start?token=a');
    expect(await bodyOf('/linked')).toContain('Not found');
  });

  it('sees the address of the client, and none that the client invents', async () => {
    const keyFor = async (address: string) =>
      (await createApiKey(database.current, systemClock, { team: caller.team, label: 'bound', allowedAddresses: [address] })).key;
    const [own, foreign] = [await keyFor('127.0.0.1'), await keyFor('203.0.113.9')];
    const statusOf = async (key: string) => {
      const headers = { 'x-service-api-key': key, 'x-forwarded-for': '203.0.113.9' };
      return (await send({ path: '/v2/providers', headers })).status;
    };
    expect([await statusOf(own), await statusOf(foreign)]).toEqual([200, 403]);
    // Without nginx the header counts, because the test's own address is that of a trusted proxy.
    const direct = await fetch(`http://127.0.0.1:${port}/v2/providers`, {
      headers: { 'x-service-api-key': foreign, 'x-forwarded-for': '203.0.113.9' },
    });
    expect(direct.status).toBe(200);
  });

  it('refuses a push of 100 MB before its body was sent', async () => {
    const headers = { 'content-length': String(100 * 1024 * 1024), 'content-type': 'application/json' };
    const sent = request({
      host: '127.0.0.1',
      port: proxy.port,
      rejectUnauthorized: false,
      method: 'POST',
      path: '/v2/push/nobody',
      headers,
    });
    sent.on('error', () => {}).write('{');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(404);
    sent.destroy();
  });
});
