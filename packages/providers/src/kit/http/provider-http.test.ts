import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient, type HttpClient } from '@pulsewire/outbound';
import { afterEach, describe, expect, it } from 'vitest';
import { createFitbit } from '../../fitbit/connector.ts';
import { createProviderHttp } from './provider-http.ts';
import type { QuotaState } from '../types/connector.ts';

const open: { server: Server; http: HttpClient }[] = [];

async function start(listener: RequestListener, basePath = '', regions?: Readonly<Record<string, string>>) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = createHttpClient({ userAgent: 'pulsewire-test' });
  open.push({ server, http });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connector = createFitbit({ apiBaseUrl: `${origin}${basePath}` });
  const seen = { versions: 0n, quotas: [] as QuotaState[] };
  const providerHttp = createProviderHttp({
    http,
    connector,
    endpoints: regions
      ? {
          ...connector.endpoints,
          regionUrls: Object.fromEntries(Object.entries(regions).map(([region, path]) => [region, `${origin}${path}`])),
        }
      : connector.endpoints,
    accessToken: 'hidden-token',
    drawVersion: async () => ++seen.versions,
    signal: new AbortController().signal,
    onQuota: (quota) => seen.quotas.push(quota),
  });
  return { providerHttp, origin, seen };
}

afterEach(async () => {
  for (const { server, http } of open.splice(0)) {
    http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('createProviderHttp', () => {
  it('sends the user’s token, requests no language, and versions the response', async () => {
    const { providerHttp } = await start((request, response) =>
      response.end(JSON.stringify({ url: request.url, headers: request.headers })),
    );
    const answer = await providerHttp.get('/1/user/-/profile.json', { a: 'b' });
    expect(answer.version).toBe(1n);
    expect(answer.body).toMatchObject({ url: '/1/user/-/profile.json?a=b', headers: { authorization: 'Bearer hidden-token' } });
    expect(answer.body).not.toHaveProperty('headers.accept-language');
  });

  it('calls another host of the provider that a call names, and no host that the connector does not', async () => {
    const { providerHttp } = await start((request, response) => response.end(JSON.stringify(request.url)), '', { identity: '/who' });
    expect((await providerHttp.get('/v1/userinfo', undefined, { region: 'identity' })).body).toBe('/who/v1/userinfo');
    expect((await providerHttp.get('/v1/userinfo')).body).toBe('/v1/userinfo');
    expect(await failure(providerHttp.get('/v1/userinfo', undefined, { region: 'elsewhere' }))).toMatchObject({
      code: 'provider_permanent',
    });
  });

  it('draws the version after the response, so that a later receipt has the higher one', async () => {
    const versionsAtRequest: bigint[] = [];
    const server = await start((_request, response) => {
      versionsAtRequest.push(server.seen.versions);
      response.end('{}');
    });
    await server.providerHttp.get('/a');
    await server.providerHttp.get('/b');
    expect(versionsAtRequest).toEqual([0n, 1n]);
  });

  it('classifies errors, reports the quota, and draws no version for them', async () => {
    const { providerHttp, seen } = await start((_request, response) => {
      response.writeHead(429, { 'Fitbit-Rate-Limit-Limit': '150', 'Fitbit-Rate-Limit-Remaining': '0', 'Fitbit-Rate-Limit-Reset': '2216' });
      response.end('{"errors":[{"errorType":"request"}]}');
    });
    const error = await failure(providerHttp.get('/1/user/-/profile.json'));
    expect(error).toMatchObject({ code: 'provider_rate_limited', kind: 'rate_limited', retryable: true, retryAfterMs: 2_216_000 });
    expect(seen).toEqual({
      versions: 0n,
      quotas: [{ scope: 'user', perMs: 3_600_000, limit: 150, remaining: 0, resetAfterMs: 2_216_000 }],
    });
  });

  it('follows a paging link of the provider and no other', async () => {
    const { providerHttp, origin } = await start((request, response) => response.end(JSON.stringify({ url: request.url })), '/fitbit');
    expect((await providerHttp.get(`${origin}/fitbit/1/list.json?page=2`)).body).toEqual({ url: '/fitbit/1/list.json?page=2' });
    for (const foreign of ['https://evil.example/fitbit/1/list.json', `${origin}/other/list.json`, 'file:///etc/passwd', 'not a link']) {
      const error = await failure(providerHttp.get(foreign));
      expect(error).toMatchObject({ code: 'provider_permanent', retryable: false });
      expect(JSON.stringify(error)).not.toContain('hidden-token');
    }
  });

  it('treats an HTML page with status 200 as a transient error', async () => {
    const { providerHttp } = await start((_request, response) => response.end('<html>maintenance</html>'));
    expect(await failure(providerHttp.get('/a'))).toMatchObject({ code: 'provider_transient', retryable: true });
  });

  it('posts and deletes without a body', async () => {
    const calls: unknown[] = [];
    const { providerHttp } = await start((request, response) => {
      calls.push([request.method, request.url, request.headers['content-length']]);
      response.writeHead(request.method === 'POST' ? 201 : 204).end();
    });
    await providerHttp.post('/x');
    await providerHttp.delete('/x');
    expect(calls).toEqual([
      ['POST', '/x', '0'],
      ['DELETE', '/x', '0'],
    ]);
  });
});
