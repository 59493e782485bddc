import type { HttpResponse, HttpClient, HttpRequest } from '@pulsewire/outbound';
import { describe, expect, it } from 'vitest';
import { fitbit } from '../../fitbit/connector.ts';
import { withEndpoints } from './endpoints.ts';
import { createLoginHttp } from './login-http.ts';
import { createProviderHttp } from './provider-http.ts';
import { configurable } from '../settings.ts';
import type { Connector, ProviderEndpoints } from '../types/connector.ts';

const endpoints: ProviderEndpoints = {
  apiBaseUrl: 'https://api.example/v3',
  authorizeUrl: null,
  tokenUrl: 'https://login.example/token',
  revokeUrl: null,
  regionUrls: { us: 'https://api.example/v3', eu: 'https://api-eu.example/v3' },
};
const connector: Connector = { ...fitbit, endpoints };

function recorder(status = 200, body: unknown = {}): HttpClient & { readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  return {
    requests,
    async send(request): Promise<HttpResponse> {
      requests.push(request);
      return { status, headers: {}, body, bytes: Buffer.from(JSON.stringify(body)) };
    },
    close() {},
  };
}

const httpOf = (http: HttpClient, more: Partial<Connector> = {}, account: Readonly<Record<string, unknown>> = {}) =>
  createProviderHttp({
    http,
    endpoints,
    accessToken: 'token',
    account,
    connector: { ...connector, ...more },
    drawVersion: async () => 1n,
    signal: new AbortController().signal,
  });

describe('a connector with overridden endpoints', () => {
  it('overrides all its regions, so that every call reaches the simulator', () => {
    const moved = withEndpoints(connector, { apiBaseUrl: 'http://127.0.0.1:9/v3' });
    expect(moved.endpoints.regionUrls).toEqual({ us: 'http://127.0.0.1:9/v3', eu: 'http://127.0.0.1:9/v3' });
    expect(withEndpoints(connector, { tokenUrl: 'http://x.example' }).endpoints.regionUrls).toEqual(endpoints.regionUrls);
    expect(
      withEndpoints(connector, { apiBaseUrl: 'http://a.example', regionUrls: { us: 'http://b.example' } }).endpoints.regionUrls,
    ).toEqual({
      us: 'http://b.example',
    });
  });

  it('keeps the overrides when it is configured again', () => {
    const settings = { version: { default: '1', description: 'of the app' } };
    const built = configurable(settings, ({ version }) => ({ ...connector, name: `Band ${version}` }));
    const moved = withEndpoints(built, { apiBaseUrl: 'http://127.0.0.1:9/v3' });
    const renewed = moved.configure?.({ version: '2' })?.configure?.({});
    expect([renewed?.name, renewed?.endpoints]).toEqual(['Band 2', moved.endpoints]);
  });
});

describe('createProviderHttp', () => {
  it('calls the region of the account, and fails for an unknown region', async () => {
    const http = recorder();
    await httpOf(http, {}, { region: 'eu' }).get('/me');
    expect(http.requests[0]?.url).toBe('https://api-eu.example/v3/me');
    expect(() => httpOf(http, {}, { region: 'mars' })).toThrow(expect.objectContaining({ code: 'provider_permanent' }));
  });

  it('authorizes calls the way the connector defines', async () => {
    const http = recorder();
    const authorize: Connector['authorize'] = (token, account) => ({
      headers: { 'account-id': String(account['id']) },
      query: { sessionId: token },
    });
    await httpOf(http, { authorize }, { id: 7 }).post('/read', { form: { a: 'b' }, query: { page: '2' } });
    expect(http.requests[0]).toMatchObject({
      headers: { 'account-id': '7' },
      query: { page: '2', sessionId: 'token' },
      form: { a: 'b' },
    });
    expect(http.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('fails when the body of a 200 is an error', async () => {
    const findRefusal: Connector['findRefusal'] = ({ body }) =>
      (body as { status: number }).status === 601 ? { code: 'provider_rate_limited', retryAfterMs: 60_000 } : null;
    await expect(httpOf(recorder(200, { status: 601 }), { findRefusal }).get('/x')).rejects.toMatchObject({
      code: 'provider_rate_limited',
      retryAfterMs: 60_000,
    });
    await expect(httpOf(recorder(200, { status: 0 }), { findRefusal }).get('/x')).resolves.toMatchObject({ version: 1n });
  });

  it('follows links within the provider’s domain over https only, and none when it is overridden', async () => {
    const http = recorder();
    const linked = { ...endpoints, linkDomain: 'provider.example' };
    const get = (url: string, at: ProviderEndpoints = linked) =>
      createProviderHttp({
        http,
        endpoints: at,
        accessToken: 'token',
        connector,
        drawVersion: async () => 1n,
        signal: new AbortController().signal,
      }).get(url);
    await get('https://hub-eu.provider.example/channel/1');
    expect(http.requests.map(({ url }) => url)).toEqual(['https://hub-eu.provider.example/channel/1']);
    const strange = [
      'http://hub.provider.example/',
      'https://evilprovider.example/',
      'https://provider.example.evil/',
      'https://hub.provider.example:444/',
    ];
    for (const url of strange) await expect(get(url)).rejects.toMatchObject({ code: 'provider_permanent' });
    await expect(get('https://hub.provider.example/', endpoints)).rejects.toMatchObject({ code: 'provider_permanent' });
    const moved = withEndpoints({ ...connector, endpoints: linked }, { apiBaseUrl: 'http://127.0.0.1:9' });
    expect(moved.endpoints).not.toHaveProperty('linkDomain');
    expect(http.requests).toHaveLength(1);
  });

  it('sends no token to the login addresses', async () => {
    const http = recorder();
    await expect(httpOf(http).get('https://login.example/token/x')).rejects.toMatchObject({ code: 'provider_permanent' });
    await expect(httpOf(http).get('https://api.example/v3evil')).rejects.toMatchObject({ code: 'provider_permanent' });
    expect(http.requests).toEqual([]);
  });
});

describe('createLoginHttp', () => {
  it('calls only the provider’s addresses, without a token, and returns any status', async () => {
    const http = recorder(403, { error: 'no' });
    const login = createLoginHttp({ http, endpoints });
    expect((await login.send({ method: 'POST', path: '/login', json: { a: 1 } })).status).toBe(403);
    await login.send({ method: 'GET', path: '/me', region: 'eu' });
    await login.send({ method: 'POST', path: 'https://login.example/token' });
    expect(http.requests.map(({ url }) => url)).toEqual([
      'https://api.example/v3/login',
      'https://api-eu.example/v3/me',
      'https://login.example/token',
    ]);
    await expect(login.send({ method: 'GET', path: 'https://evil.example/' })).rejects.toMatchObject({ code: 'provider_permanent' });
    await expect(login.send({ method: 'GET', path: '/x', region: 'mars' })).rejects.toMatchObject({ code: 'provider_permanent' });
  });
});
