import { describe, expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import type { LoginRequest, PulledPage, PullUser } from '../kit/types/connector.ts';
import { myFitnessPal } from './connector.ts';

const clientId = 'phone-app';
const connector = myFitnessPal.configure?.({ clientId }) ?? expect.fail('not configurable');
const now = new Date('2026-03-12T16:00:00Z');
const signal = AbortSignal.timeout(5000);
const tokenPath = '/v2/oauth2/token';

const issued = { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 2_592_000, user_id: '2301' };
const linkedBody = { status: 200, body: issued };
const wrong: FakeLoginResponse = { status: 401, body: { error: 'invalid_grant' } };
const page: FakeLoginResponse = { status: 403 };

function provider(token: FakeLoginResponse, diary: FakeLoginResponse = wrong) {
  return createFakeLogin(({ path }) => (path === tokenPath ? token : diary));
}

const login = (http: ReturnType<typeof provider>, username = 'ann') =>
  connector.password?.login({ http, username, password: 'secret', region: null, now, signal });

describe('the password of an account', () => {
  it('is exchanged for tokens at the servers of the app, and is not kept', async () => {
    const http = provider(linkedBody);
    const outcome = await login(http);
    expect(outcome).toEqual({
      kind: 'linked',
      providerUserId: '2301',
      account: { way: 'account', user_id: '2301' },
      tokens: {
        accessToken: 'access-1',
        refreshToken: 'refresh-1',
        expiresAt: new Date('2026-04-11T16:00:00Z'),
        scopes: null,
        providerUserId: null,
      },
    });
    expect(http.calls).toEqual([
      {
        method: 'POST',
        path: tokenPath,
        region: 'phone',
        headers: { accept: 'application/json', 'mfp-client-id': clientId },
        json: { grant_type: 'password', username: 'ann', password: 'secret', client_id: clientId },
      } satisfies LoginRequest,
    ]);
  });

  it('opens an account for 30 days when the response does not state its life', async () => {
    const { expires_in: _life, ...rest } = issued;
    expect(await login(provider({ body: rest }))).toMatchObject({ tokens: { expiresAt: new Date('2026-04-11T16:00:00Z') } });
  });

  it('may be a diary key as well, which is tried second', async () => {
    const http = provider(wrong, { status: 200, body: [] });
    expect(await login(http)).toMatchObject({ kind: 'linked', providerUserId: 'ann', account: { username: 'ann' } });
    expect(http.calls.map(({ path }) => path)).toEqual([tokenPath, '/api/services/authenticate_diary_key']);
  });

  it('is not tried as a key for an e-mail address', async () => {
    const http = provider(wrong, { status: 200, body: [] });
    expect(await login(http, 'ann@mail.example')).toMatchObject({ errorType: 'provider_credential_error' });
    expect(http.calls).toHaveLength(1);
  });

  it.each([
    ['both ways reject it', wrong, wrong, 'provider_credential_error'],
    ['the site blocks the key', wrong, page, 'provider_api_error'],
    ['the servers of the app block it', page, wrong, 'provider_api_error'],
    ['the client id is rejected', { status: 400, body: { error: 'invalid_client' } }, wrong, 'provider_api_error'],
    ['the response has no user', { body: { ...issued, user_id: undefined } }, wrong, 'provider_api_error'],
  ])('is not accepted when %s', async (_what, token, diary, errorType) => {
    expect(await login(provider(token, diary))).toMatchObject({ kind: 'refused', errorType });
  });

  it('links without any setting, because the client id of the app is public', async () => {
    const http = provider(linkedBody);
    const call = { http, username: 'ann', password: 'secret', region: null, now, signal };
    expect(await myFitnessPal.password?.login(call)).toMatchObject({ kind: 'linked', account: { way: 'account' } });
    expect(http.calls[0]?.json).toMatchObject({ client_id: 'mfp-mobile-android-google' });
  });

  it('leads to an error that names the proxy when the site refuses this server, and not the user', async () => {
    expect(await login(provider(wrong, page))).toMatchObject({ message: expect.stringContaining('need a proxy of the operator') });
  });

  it('is not accepted without a client id, and the error says so', async () => {
    const http = provider(linkedBody, wrong);
    const call = { http, username: 'ann', password: 'secret', region: null, now, signal };
    const shared = myFitnessPal.configure?.({ clientId: '' });
    expect(await shared?.password?.login(call)).toMatchObject({ message: expect.stringContaining('no client id') });
    expect(http.calls.map(({ path }) => path)).not.toContain(tokenPath);
    expect(shared?.unavailableResources).toHaveProperty('weight');
    expect(connector.resources).toHaveProperty('weight');
  });
});

describe('a renewal', () => {
  const renew = (token: FakeLoginResponse) =>
    connector.password?.renew({ http: provider(token), renewal: 'refresh-1', account: { way: 'account', user_id: '2301' }, now, signal });

  it('takes the new refresh token, because the former one has ended', async () => {
    const body = { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 60 };
    expect(await renew({ body })).toMatchObject({
      outcome: 'refreshed',
      tokens: { accessToken: 'access-2', refreshToken: 'refresh-2', expiresAt: new Date('2026-03-12T16:01:00Z') },
    });
    expect(await renew({ body: { access_token: 'access-2' } })).toMatchObject({ tokens: { refreshToken: 'refresh-1' } });
  });

  it.each([
    ['an ended token', wrong, { outcome: 'revoked' }],
    ['another rejection', { status: 403, body: { error: 'forbidden' } }, { outcome: 'refused', isFinal: false }],
    ['a rejected client id', { status: 401, body: { error: 'invalid_client' } }, { outcome: 'unclear', reason: 'client_id_rejected' }],
    ['a page that blocks clients', page, { outcome: 'unclear', retryable: true }],
    ['an overload', { status: 503, body: {} }, { outcome: 'unclear', retryable: true }],
    ['a limit', { status: 429, body: {}, headers: { 'retry-after': '9' } }, { outcome: 'unclear', retryAfterMs: 9000 }],
  ])('of %s keeps or ends the connection', async (_what, token, expected) => {
    expect(await renew(token)).toMatchObject(expected);
  });
});

describe('the pulls', () => {
  const window = { startDate: '2026-03-10', endDate: '2026-03-11' };
  const user = (account: PullUser['account']): PullUser => ({
    userId: 'b3f0c1de-0000-4000-8000-000000000001',
    fallbackTimeZone: 'Europe/Paris',
    providerUserId: '2301',
    grantedScopes: [],
    account,
  });
  async function pathsOf(account: PullUser['account']) {
    const http = createFakeHttp(({ method }) => (method === 'POST' ? [] : { items: [] }));
    for (const pull of connector.pulls)
      for await (const pulled of pull.pull({ http, user: user(account), window, signal })) expect(pulled.records).toEqual([]);
    return http.calls.map(({ path, region }) => `${region ?? 'site'} ${path.split('&')[0]}`);
  }

  it('of an account read each day at the servers of the app, those of a key one range of the site', async () => {
    expect(await pathsOf({ way: 'account', user_id: '2301' })).toEqual([
      'phone /v2/diary?entry_date=2026-03-10',
      'phone /v2/diary?entry_date=2026-03-11',
      'phone /v2/measurements?entry_date=2026-03-10',
      'phone /v2/measurements?entry_date=2026-03-11',
    ]);
    expect(await pathsOf({ username: 'ann' })).toEqual(['site /api/services/authenticate_diary_key']);
  });

  it('ask for water, and name no type of entry once that is refused', async () => {
    const http = createFakeHttp(({ path }) => {
      if (path.includes('types=')) throw providerError('provider_permanent', { status: 400 });
      return { items: [{ type: 'water', date: '2026-03-10', cups: 2, milliliters: 500 }] };
    });
    const pull = connector.pulls.find(({ name }) => name === 'account_diary');
    const call = { http, user: user({ way: 'account', user_id: '2301' }), window, signal };
    const pages: PulledPage[] = [];
    for await (const one of pull?.pull(call) ?? []) pages.push(one);
    expect(pages[0]?.records).toMatchObject([{ resource: 'water', samples: [{ value: 500 }] }]);
    expect(http.paths.map((path) => path.includes('water'))).toEqual([true, false, false]);
  });

  it('name the app, the user and one device in every call', () => {
    const account = { way: 'account', user_id: '2301' };
    const { headers } = connector.authorize?.('access-1', account) ?? {};
    expect(headers).toMatchObject({ authorization: 'Bearer access-1', 'mfp-client-id': clientId, 'mfp-user-id': '2301' });
    expect(JSON.parse(Buffer.from(headers?.['client-metadata'] ?? '', 'base64').toString())).toEqual({
      'device-id': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      'app-version': '26.27.0',
    });
    expect(connector.authorize?.('access-1', account)).toEqual({ headers });
    expect(connector.authorize?.('our-key', { username: 'ann' })).toEqual({ json: { key: 'our-key' } });
  });
});
