import { AppError, createManualClock } from '@pulsewire/kernel';
import type { HttpResponse, HttpClient, HttpRequest } from '@pulsewire/outbound';
import { describe, expect, it } from 'vitest';
import type { OAuthSettings, ProviderEndpoints, TokenSet } from '../types/connector.ts';
import { buildAuthorizeUrl } from './authorize-url.ts';
import { exchangeCode } from './exchange-code.ts';
import { codeChallengeOf, createCodeVerifier } from './pkce.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { revokeToken } from './revoke-token.ts';
import { parseTokenResponse } from './token-response.ts';

const settings: OAuthSettings = {
  clientAuth: 'basic',
  pkce: 'supported',
  scopeSeparator: ' ',
  scopes: ['sleep', 'weight'],
  refresh: 'rotates',
  userIdPath: ['user_id'],
};
const endpoints: ProviderEndpoints = {
  apiBaseUrl: 'https://api.example',
  authorizeUrl: 'https://www.example/authorize?prompt=login',
  tokenUrl: 'https://api.example/token',
  revokeUrl: 'https://api.example/revoke',
};
const application = { clientId: 'client', clientSecret: 's3cret' };
const clock = createManualClock(new Date('2025-05-01T10:00:00Z'));
const tokenBody = {
  access_token: 'a2',
  expires_in: 28_800,
  refresh_token: 'r2',
  scope: 'sleep weight',
  token_type: 'Bearer',
  user_id: 'ABC123',
};

function httpOf(status: number, body: unknown, headers: Record<string, string> = {}): HttpClient & { requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  return {
    requests,
    async send(request): Promise<HttpResponse> {
      requests.push(request);
      return { status, headers, body, bytes: Buffer.from(JSON.stringify(body) ?? '') };
    },
    close() {},
  };
}

describe('providers with their own field names', () => {
  const own: OAuthSettings = {
    ...settings,
    clientAuth: 'query',
    tokenMethod: 'GET',
    scopeField: 'apis',
    refreshTypeField: 'response_type',
    tokenFields: { accessToken: 'Access', refreshToken: 'Refresh', expiresIn: 'Expires', scope: 'Apis' },
    userIdPath: ['User'],
  };
  const body = { Access: 'a2', Refresh: 'r2', Expires: 60, Apis: 'sleep', User: 7 };

  it('send scopes and token requests under these names, with every field in the query', async () => {
    const url = new URL(buildAuthorizeUrl({ settings: own, endpoints, application, redirectUri: 'https://us.example/', state: 's' }));
    expect([url.searchParams.get('apis'), url.searchParams.get('scope')]).toEqual(['sleep weight', null]);
    const http = httpOf(200, body);
    const outcome = await refreshTokens({ http, clock, settings: own, endpoints, application, refreshToken: 'r1' });
    expect(outcome).toMatchObject({
      outcome: 'refreshed',
      tokens: { accessToken: 'a2', refreshToken: 'r2', scopes: ['sleep'], providerUserId: '7' },
    });
    const query = { response_type: 'refresh_token', refresh_token: 'r1', client_id: 'client', client_secret: 's3cret' };
    expect(http.requests).toEqual([expect.objectContaining({ method: 'GET', url: endpoints.tokenUrl, query })]);
  });

  it('read the user id from a claim of the id token', () => {
    const claims = Buffer.from(JSON.stringify({ sub: 'user-1' })).toString('base64url');
    const idOf = (idToken: unknown) =>
      parseTokenResponse({ ...tokenBody, id_token: idToken }, { ...settings, idTokenClaim: 'sub' }, clock.now())?.providerUserId;
    expect([idOf(`e30.${claims}.x`), idOf('no token'), idOf(undefined)]).toEqual(['user-1', null, null]);
  });
});

describe('PKCE', () => {
  it('computes the challenge of RFC 7636, appendix B', () => {
    expect(codeChallengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  it('creates verifiers that RFC 7636 allows and that differ', () => {
    expect(createCodeVerifier()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(createCodeVerifier()).not.toBe(createCodeVerifier());
  });
});

describe('buildAuthorizeUrl', () => {
  const request = { settings, endpoints, application, redirectUri: 'https://us.example/cb?x=1', state: 'st.ate' };

  it('contains all parameters and keeps those of the address', () => {
    const url = new URL(buildAuthorizeUrl({ ...request, codeChallenge: 'ch' }));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      prompt: 'login',
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'https://us.example/cb?x=1',
      state: 'st.ate',
      scope: 'sleep weight',
      code_challenge: 'ch',
      code_challenge_method: 'S256',
    });
  });

  it('carries the state in the redirect address, too, where the provider loses it', () => {
    const url = new URL(buildAuthorizeUrl({ ...request, settings: { ...settings, losesState: true } }));
    const address = new URL(url.searchParams.get('redirect_uri') ?? '');
    expect([url.searchParams.get('state'), address.searchParams.get('state'), address.searchParams.get('x')]).toEqual([
      'st.ate',
      'st.ate',
      '1',
    ]);
  });

  it('omits PKCE and scopes when the provider has none', () => {
    const bare: OAuthSettings = { ...settings, pkce: 'none', scopeSeparator: null };
    const url = new URL(buildAuthorizeUrl({ ...request, settings: bare, codeChallenge: 'ch' }));
    expect(url.searchParams.has('scope') || url.searchParams.has('code_challenge')).toBe(false);
  });
});

describe('exchangeCode', () => {
  const exchange = { clock, settings, endpoints, application, code: 'c', redirectUri: 'https://us.example/cb', codeVerifier: 'v' };

  it('is tried once more with the address as it was sent where the provider loses the state', async () => {
    const addresses: unknown[] = [];
    const http: HttpClient = {
      async send({ form }) {
        addresses.push(form?.['redirect_uri']);
        const [status, body] = addresses.length === 1 ? [400, { error: 'invalid_grant' }] : [200, tokenBody];
        return { status, headers: {}, body, bytes: Buffer.alloc(0) };
      },
      close() {},
    };
    const lossy = { ...settings, losesState: true } as const;
    expect(await exchangeCode({ ...exchange, settings: lossy, state: 'st', http })).toMatchObject({ accessToken: 'a2' });
    expect(addresses).toEqual(['https://us.example/cb', 'https://us.example/cb?state=st']);
  });

  it('returns the tokens with their expiry', async () => {
    const http = httpOf(200, tokenBody);
    expect(await exchangeCode({ ...exchange, http })).toEqual({
      accessToken: 'a2',
      refreshToken: 'r2',
      expiresAt: new Date('2025-05-01T18:00:00Z'),
      scopes: ['sleep', 'weight'],
      providerUserId: 'ABC123',
    });
    expect(http.requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://api.example/token',
      form: { grant_type: 'authorization_code', code: 'c', redirect_uri: 'https://us.example/cb', code_verifier: 'v', client_id: 'client' },
      basicAuth: { username: 'client', password: 's3cret' },
    });
  });

  it('sends the client credentials in the body or the query where required', async () => {
    const body = httpOf(200, tokenBody);
    await exchangeCode({ ...exchange, http: body, settings: { ...settings, clientAuth: 'body' } });
    expect(body.requests[0]?.form).toMatchObject({ client_id: 'client', client_secret: 's3cret', code: 'c' });
    const query = httpOf(200, tokenBody);
    await exchangeCode({ ...exchange, http: query, settings: { ...settings, clientAuth: 'query' } });
    expect(query.requests[0]?.query).toMatchObject({ client_id: 'client', client_secret: 's3cret', code: 'c' });
  });

  it.each([
    [400, { error: 'invalid_grant' }, 'oauth_code_rejected', false],
    [401, { errors: [{ errorType: 'invalid_client' }] }, 'provider_configuration', true],
    [503, undefined, 'provider_transient', true],
    [200, { access_token: 5.5 }, 'provider_permanent', false],
  ])('throws when the token endpoint responds %i %j', async (status, body, code, retryable) => {
    await expect(exchangeCode({ ...exchange, http: httpOf(status, body) })).rejects.toMatchObject({ code, retryable });
  });
});

describe('refreshTokens', () => {
  const refresh = { clock, settings, endpoints, application, refreshToken: 'r1' };

  it('returns the new pair', async () => {
    const http = httpOf(200, tokenBody);
    expect(await refreshTokens({ ...refresh, http })).toMatchObject({
      outcome: 'refreshed',
      tokens: { accessToken: 'a2', refreshToken: 'r2' },
    });
    expect(http.requests[0]?.form).toEqual({ grant_type: 'refresh_token', refresh_token: 'r1', client_id: 'client' });
  });

  it('names the user only where the provider requires it', async () => {
    const withField: OAuthSettings = { ...settings, refreshUserIdField: 'user_id' };
    const sentBy = async (own: OAuthSettings) => {
      const http = httpOf(200, tokenBody);
      await refreshTokens({ ...refresh, settings: own, providerUserId: '7', http });
      return http.requests[0]?.form?.['user_id'];
    };
    expect([await sentBy(withField), await sentBy(settings)]).toEqual(['7', undefined]);
  });

  it('keeps the refresh token when the response contains no new one', async () => {
    const outcome = await refreshTokens({ ...refresh, http: httpOf(200, { access_token: 'a2' }) });
    expect(outcome).toEqual({
      outcome: 'refreshed',
      tokens: { accessToken: 'a2', refreshToken: 'r1', expiresAt: null, scopes: null, providerUserId: null },
    });
  });

  it.each([
    [400, { error: 'invalid_grant' }],
    [401, { success: false, errors: [{ errorType: 'invalid_grant', message: 'Refresh token invalid' }] }],
  ])('treats invalid_grant with %i as a revocation', async (status, body) => {
    expect(await refreshTokens({ ...refresh, http: httpOf(status, body) })).toEqual({ outcome: 'revoked' });
  });

  it.each([
    [400, undefined, true, 'http_400'],
    [400, { error: 'invalid_request' }, false, 'invalid_request'],
    [401, { errors: [{ errorType: 'invalid_client' }] }, false, 'invalid_client'],
    [401, {}, true, 'http_401'],
    [403, { error: 'invalid_grant' }, false, 'invalid_grant'],
    [500, { error: 'invalid_grant' }, true, 'invalid_grant'],
    [200, 'not tokens', true, 'http_200'],
  ])('does not treat %i %j as a revocation', async (status, body, retryable, reason) => {
    expect(await refreshTokens({ ...refresh, http: httpOf(status, body) })).toEqual({ outcome: 'unclear', retryable, reason });
  });

  it.each(['too_many_tokens', 'discontinued'])('reports %s of a provider with words for it, apart from a revocation', async (reason) => {
    const own: OAuthSettings = { ...settings, readTokenError: () => reason };
    expect(await refreshTokens({ ...refresh, settings: own, http: httpOf(410, {}) })).toEqual({ outcome: 'withheld', reason });
    const foreign = await refreshTokens({ ...refresh, http: httpOf(410, { error: reason }) });
    expect(foreign).toEqual({ outcome: 'unclear', retryable: false, reason });
  });

  it('returns the delay that the provider requests', async () => {
    const outcome = await refreshTokens({ ...refresh, http: httpOf(429, undefined, { 'retry-after': '7' }) });
    expect(outcome).toEqual({ outcome: 'unclear', retryable: true, retryAfterMs: 7000, reason: 'http_429' });
  });

  it('treats a lost response as unclear, because the pair may have been rotated', async () => {
    const lost = new AppError({ code: 'provider_transient', kind: 'unavailable', message: 'lost', retryable: true });
    const http: HttpClient = { send: () => Promise.reject(lost), close() {} };
    expect(await refreshTokens({ ...refresh, http })).toEqual({ outcome: 'unclear', retryable: true, reason: 'provider_transient' });
  });
});

describe('revokeToken', () => {
  const revocation = { settings, endpoints, application, accessToken: 'a1', refreshToken: 'r1' };

  it('posts the token, and treats an unknown one and a shut-down provider as revoked', async () => {
    const http = httpOf(200, undefined);
    expect(await revokeToken({ ...revocation, http })).toBe(true);
    expect(http.requests[0]).toMatchObject({ url: 'https://api.example/revoke', form: { token: 'r1' }, basicAuth: { username: 'client' } });
    expect(await revokeToken({ ...revocation, http: httpOf(400, { error: 'invalid_token' }) })).toBe(true);
    expect(await revokeToken({ ...revocation, http: httpOf(410, undefined) })).toBe(true);
  });

  it('throws on a provider error, and returns false without a revocation endpoint', async () => {
    await expect(revokeToken({ ...revocation, http: httpOf(502, undefined) })).rejects.toMatchObject({
      code: 'provider_transient',
      retryable: true,
    });
    expect(await revokeToken({ ...revocation, endpoints: { ...endpoints, revokeUrl: null }, http: httpOf(500, undefined) })).toBe(false);
  });
});

describe("revokeToken with a provider's own call", () => {
  const revocation = { endpoints, application, accessToken: 'a1', refreshToken: 'r1' };
  const expired = new AppError({ code: 'provider_token_expired', kind: 'unauthorized', message: 'ended', retryable: true });
  const settingsOf = (tried: string[], good: string): OAuthSettings => ({
    ...settings,
    async revoke({ accessToken }) {
      tried.push(accessToken);
      if (accessToken !== good) throw expired;
      return true;
    },
  });

  it('renews an expired access token once', async () => {
    const tried: string[] = [];
    const onRenewed = async ({ accessToken }: TokenSet) => void tried.push(`renewed ${accessToken}`);
    expect(await revokeToken({ ...revocation, settings: settingsOf(tried, 'a2'), http: httpOf(200, tokenBody), onRenewed })).toBe(true);
    expect(tried).toEqual(['a1', 'renewed a2', 'a2']);
    const none = settingsOf([], 'none');
    await expect(revokeToken({ ...revocation, settings: none, http: httpOf(200, tokenBody) })).rejects.toBe(expired);
  });

  it('succeeds when the refresh token is invalid too, and is retryable when that is unclear', async () => {
    const own = settingsOf([], 'a2');
    expect(await revokeToken({ ...revocation, settings: own, http: httpOf(400, { error: 'invalid_grant' }) })).toBe(true);
    await expect(revokeToken({ ...revocation, settings: own, http: httpOf(503, undefined) })).rejects.toMatchObject({ retryable: true });
    const withheld = (reason: string) => ({ ...revocation, settings: { ...own, readTokenError: () => reason }, http: httpOf(400, {}) });
    await expect(revokeToken(withheld('too_many_tokens'))).rejects.toMatchObject({ retryable: true });
    expect(await revokeToken(withheld('discontinued'))).toBe(true);
    await expect(revokeToken({ ...revocation, refreshToken: null, settings: own, http: httpOf(200, tokenBody) })).rejects.toBe(expired);
  });
});

describe('parseTokenResponse', () => {
  const now = clock.now();

  it('reads scopes with the provider’s separator, and as a list', () => {
    const comma: OAuthSettings = { ...settings, scopeSeparator: ',' };
    expect(parseTokenResponse({ access_token: 'a', scope: 'read, write' }, comma, now)?.scopes).toEqual(['read', 'write']);
    expect(parseTokenResponse({ access_token: 'a', scope: ['read'] }, settings, now)?.scopes).toEqual(['read']);
    expect(parseTokenResponse({ access_token: 'a', scope: '' }, settings, now)?.scopes).toEqual([]);
  });

  it('reads the user id from the configured path', () => {
    const nested: OAuthSettings = { ...settings, userIdPath: ['athlete', 'id'] };
    expect(parseTokenResponse({ access_token: 'a', athlete: { id: 42 } }, nested, now)?.providerUserId).toBe('42');
  });

  it.each([undefined, null, 'text', {}, { access_token: '' }, { access_token: 'a', expires_in: -5 }])(
    'returns undefined for %j',
    (body) => {
      expect(parseTokenResponse(body, settings, now)).toBeUndefined();
    },
  );
});
