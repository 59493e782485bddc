import { createHash } from 'node:crypto';
import type { HttpResponse, HttpClient, HttpRequest } from '@pulsewire/outbound';

interface Grant {
  readonly account: string;
  readonly scopes: readonly string[];
  refreshToken: string;
}

/** How the token endpoint responds to a refresh; by default it rotates. */
export type RefreshMood =
  | 'rotate'
  | 'rotate_then_lose_answer'
  | 'invalid_grant'
  | 'bare_400'
  | 'unavailable'
  | 'rate_limited'
  | 'invalid_client';

/** A provider with OAuth endpoints and a profile, behind the HTTP port. Refresh tokens are single use; codes and verifiers are checked. */
export interface FakeProvider extends HttpClient {
  /** The user agrees: returns the code that the provider would send to the callback. */
  agree(authorizeUrl: string, grant: { readonly account: string; readonly scopes?: readonly string[] }): string;
  readonly refreshes: { count: number };
  readonly revoked: string[];
  /** The currently valid refresh token. */
  refreshTokenOf(account: string): string | undefined;
  /** Moods of the next refreshes, each used once. */
  readonly moods: RefreshMood[];
  /** How long a spent refresh token still returns the same pair as before. */
  graceMs: number;
  /** The user withdraws the consent at the provider. */
  withdraw(account: string): void;
  /** Awaited before a code or token is checked. */
  beforeResponse: () => Promise<void>;
  expiresInSeconds: number;
  profileFails: boolean;
  /** Every request gets a 410. */
  hasShutDown: boolean;
}

const defaultScopes = ['activity', 'heartrate', 'profile', 'sleep', 'weight'];

function response(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers, body, bytes: Buffer.from(JSON.stringify(body)) };
}

const gone = response(410, { errors: [{ errorType: 'gone', message: 'The API has been shut down' }], success: false });

export function createFakeProvider(): FakeProvider {
  const codes = new Map<string, { grant: Grant; challenge: string | null }>();
  const grants = new Map<string, Grant>();
  const spent = new Map<string, { pair: unknown; atMs: number }>();
  let serial = 0;

  const tokensOf = (grant: Grant) => ({
    access_token: `access-${grant.account}-${(serial += 1)}`,
    refresh_token: grant.refreshToken,
    expires_in: provider.expiresInSeconds,
    scope: grant.scopes.join(' '),
    token_type: 'Bearer',
    user_id: grant.account,
  });

  function exchange(form: Readonly<Record<string, string>>): HttpResponse {
    const found = codes.get(form['code'] ?? '');
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    if (!found || (found.challenge !== null && found.challenge !== challenge))
      return response(400, { errors: [{ errorType: 'invalid_grant' }], error: 'invalid_grant' });
    codes.delete(form['code'] ?? '');
    grants.set(found.grant.account, found.grant);
    return response(200, tokensOf(found.grant));
  }

  function rotate(token: string): HttpResponse {
    const again = spent.get(token);
    if (again && Date.now() - again.atMs < provider.graceMs) return response(200, again.pair);
    const grant = [...grants.values()].find(({ refreshToken }) => refreshToken === token);
    if (!grant) return response(400, { errors: [{ errorType: 'invalid_grant' }], error: 'invalid_grant' });
    grant.refreshToken = `refresh-${grant.account}-${(serial += 1)}`;
    const pair = tokensOf(grant);
    spent.set(token, { pair, atMs: Date.now() });
    return response(200, pair);
  }

  function refresh(token: string): HttpResponse {
    provider.refreshes.count += 1;
    const mood = provider.moods.shift() ?? 'rotate';
    if (mood === 'invalid_grant') return response(400, { errors: [{ errorType: 'invalid_grant' }], error: 'invalid_grant' });
    if (mood === 'invalid_client') return response(401, { error: 'invalid_client' });
    if (mood === 'bare_400') return response(400, { success: false });
    if (mood === 'unavailable') return response(503, {});
    if (mood === 'rate_limited') return response(429, {}, { 'retry-after': '1' });
    const result = rotate(token);
    return mood === 'rotate_then_lose_answer' ? response(502, undefined) : result;
  }

  const provider: FakeProvider = {
    refreshes: { count: 0 },
    revoked: [],
    moods: [],
    graceMs: 0,
    expiresInSeconds: 28_800,
    profileFails: false,
    hasShutDown: false,
    beforeResponse: async () => {},
    agree(authorizeUrl, { account, scopes = defaultScopes }) {
      const code = `code-${(serial += 1)}`;
      const challenge = new URL(authorizeUrl).searchParams.get('code_challenge');
      codes.set(code, { grant: { account, scopes, refreshToken: `refresh-${account}-${(serial += 1)}` }, challenge });
      return code;
    },
    refreshTokenOf: (account) => grants.get(account)?.refreshToken,
    withdraw: (account) => void grants.delete(account),
    async send(request: HttpRequest) {
      await provider.beforeResponse();
      if (provider.hasShutDown) return gone;
      const path = new URL(request.url).pathname;
      const form = request.form ?? {};
      if (path === '/oauth2/token') return form['grant_type'] === 'refresh_token' ? refresh(form['refresh_token'] ?? '') : exchange(form);
      if (path === '/oauth2/revoke') {
        provider.revoked.push(form['token'] ?? '');
        return response(200, {});
      }
      if (provider.profileFails) return response(500, {});
      const account = /^Bearer access-(.+)-\d+$/.exec(request.headers?.['authorization'] ?? '')?.[1];
      return response(200, { user: { encodedId: account, timezone: 'Europe/Lisbon' } });
    },
    close() {},
  };
  return provider;
}
