import type { HttpAnswer, HttpClient, HttpRequest } from '@pulsewire/outbound';
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
    async send(request): Promise<HttpAnswer> {
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

describe('a connector elsewhere', () => {
  it('goes there with all its regions: no call passes a simulator by', () => {
    const moved = withEndpoints(connector, { apiBaseUrl: 'http://127.0.0.1:9/v3' });
    expect(moved.endpoints.regionUrls).toEqual({ us: 'http://127.0.0.1:9/v3', eu: 'http://127.0.0.1:9/v3' });
    expect(withEndpoints(connector, { tokenUrl: 'http://x.example' }).endpoints.regionUrls).toEqual(endpoints.regionUrls);
    expect(
      withEndpoints(connector, { apiBaseUrl: 'http://a.example', regionUrls: { us: 'http://b.example' } }).endpoints.regionUrls,
    ).toEqual({
      us: 'http://b.example',
    });
  });

  it('stays there when it is made anew from its settings, twice too', () => {
    const settings = { version: { default: '1', description: 'of the app' } };
    const built = configurable(settings, ({ version }) => ({ ...connector, name: `Band ${version}` }));
    const moved = withEndpoints(built, { apiBaseUrl: 'http://127.0.0.1:9/v3' });
    const renewed = moved.configure?.({ version: '2' })?.configure?.({});
    expect([renewed?.name, renewed?.endpoints]).toEqual(['Band 2', moved.endpoints]);
  });
});

describe('calls as a connection', () => {
  it('go to the region of the account, and nowhere for one that is not known', async () => {
    const http = recorder();
    await httpOf(http, {}, { region: 'eu' }).get('/me');
    expect(http.requests[0]?.url).toBe('https://api-eu.example/v3/me');
    expect(() => httpOf(http, {}, { region: 'mars' })).toThrow(expect.objectContaining({ code: 'provider_permanent' }));
  });

  it('are authorized in the way of the connector', async () => {
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

  it('fail when the body of a 200 is a refusal', async () => {
    const findRefusal: Connector['findRefusal'] = ({ body }) =>
      (body as { status: number }).status === 601 ? { code: 'provider_rate_limited', retryAfterMs: 60_000 } : null;
    await expect(httpOf(recorder(200, { status: 601 }), { findRefusal }).get('/x')).rejects.toMatchObject({
      code: 'provider_rate_limited',
      retryAfterMs: 60_000,
    });
    await expect(httpOf(recorder(200, { status: 0 }), { findRefusal }).get('/x')).resolves.toMatchObject({ version: 1n });
  });

  it('follow links to the hosts of the provider’s own domain, over https alone, and nowhere when it was moved', async () => {
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

  it('take no token to the addresses of logins', async () => {
    const http = recorder();
    await expect(httpOf(http).get('https://login.example/token/x')).rejects.toMatchObject({ code: 'provider_permanent' });
    await expect(httpOf(http).get('https://api.example/v3evil')).rejects.toMatchObject({ code: 'provider_permanent' });
    expect(http.requests).toEqual([]);
  });
});

describe('calls before a connection', () => {
  it('go to the API, a region, or one of the provider’s own addresses, with no token, and give any status', async () => {
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
