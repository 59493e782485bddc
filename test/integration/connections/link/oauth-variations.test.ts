import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HttpResponse, HttpClient, HttpRequest } from '@pulsewire/outbound';
import {
  completeOAuthLink,
  createProviderGate,
  getAccessToken,
  listConnections,
  processDeregistrations,
  deregisterConnection,
  startOAuthLink,
} from '@pulsewire/connections';
import { systemClock } from '@pulsewire/kernel';
import { findConnector, type AccountFacts, type Connector, type OAuthSettings } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createHarness } from '../harness.ts';

const database = useDatabase();

interface Habits {
  readonly oauth: Partial<OAuthSettings>;
  /** Further fields of the token response. */
  readonly tokens?: Readonly<Record<string, unknown>>;
  readonly refreshed?: Readonly<Record<string, unknown>>;
  readonly account?: () => Promise<AccountFacts>;
}

/** A provider with these settings behind the HTTP port; records every request. */
function provider({ oauth, tokens = {}, refreshed = {}, account }: Habits) {
  const requests: HttpRequest[] = [];
  const response = (body: unknown): HttpResponse => ({ status: 200, headers: {}, body, bytes: Buffer.from(JSON.stringify(body)) });
  const http: HttpClient = {
    async send(request) {
      requests.push(request);
      const isRefresh = JSON.stringify([request.form, request.query]).includes('"refresh_token"');
      return response(isRefresh ? { access_token: 'access-2', ...refreshed } : { access_token: 'access-1', ...tokens });
    },
    close() {},
  };
  const base = findConnector('fitbit') as Connector;
  const settings: OAuthSettings = {
    clientAuth: 'body',
    pkce: 'none',
    scopeSeparator: ' ',
    scopes: ['read', 'sleep:all'],
    refresh: 'rotates',
    ...oauth,
  };
  const connector: Connector = {
    ...base,
    slug: 'varied',
    name: 'Varied',
    push: null,
    oauth: settings,
    resources: { sleep: { required: ['sleep:all'], optional: [] } },
    account: account ?? (async () => ({ providerUserId: 'from-account', account: {} })),
  };
  return { connector, http, requests };
}

/** Links one user at a provider with these settings. */
async function link(habits: Habits, callback: { readonly scope?: string } = {}) {
  const { connector, http, requests } = provider(habits);
  const harness = await createHarness(database.current, {
    connectors: [connector],
    gate: createProviderGate({ http, clock: systemClock }),
  });
  const user = await harness.newUser();
  const token = await harness.newToken(user);
  const { oauthUrl } = await startOAuthLink(harness.context, { token, provider: 'varied', teamId: harness.team.teamId });
  const outcome = await completeOAuthLink(harness.context, {
    provider: 'varied',
    state: token,
    code: 'the-code',
    error: undefined,
    scope: callback.scope,
    traceId: null,
  });
  const [connection] = await listConnections(database.current, user.teamId, [user.userId]);
  return { harness, user, outcome, connection, requests, url: new URL(oauthUrl).searchParams };
}

const expire = () => database.current.sql`UPDATE connection_tokens SET expires_at = now() - interval '1 minute'`;

describe('an OAuth link follows the settings of its provider', () => {
  it.each([
    [
      'basic',
      (request: HttpRequest) => [request.basicAuth, request.form?.['client_secret']],
      [{ username: 'platform-id', password: 'platform-secret' }, undefined],
    ],
    [
      'body',
      (request: HttpRequest) => [request.form?.['client_id'], request.form?.['client_secret'], request.basicAuth],
      ['platform-id', 'platform-secret', undefined],
    ],
    [
      'query',
      (request: HttpRequest) => [request.query?.['client_id'], request.query?.['client_secret'], request.query?.['code']],
      ['platform-id', 'platform-secret', 'the-code'],
    ],
  ] as const)('the application authenticates by %s', async (clientAuth, seen, expected) => {
    const { outcome, requests } = await link({ oauth: { clientAuth } });
    expect(outcome.state).toBe('success');
    expect(seen(requests[0] as HttpRequest)).toEqual(expected);
  });

  it.each(['required', 'supported', 'none'] as const)('the link uses PKCE when it is %s', async (pkce) => {
    const { url, requests } = await link({ oauth: { pkce } });
    const verifier = requests[0]?.form?.['code_verifier'];
    const challenge = verifier === undefined ? null : createHash('sha256').update(verifier).digest('base64url');
    expect(url.get('code_challenge')).toBe(challenge);
    expect(challenge === null).toBe(pkce === 'none');
  });

  it.each([
    [' ', 'read sleep:all', 'read'],
    [',', 'read,sleep:all', 'read'],
    [null, null, 'read'],
  ] as const)('scopes: separated by %j', async (scopeSeparator, requested, granted) => {
    const { url, connection } = await link({ oauth: { scopeSeparator }, tokens: { scope: granted } });
    expect(url.get('scope')).toBe(requested);
    expect([connection?.grantedScopes, connection?.deniedScopes]).toEqual([['read'], ['sleep:all']]);
  });

  it('scopes: granted ones come from the callback or the API; without either, all count as granted', async () => {
    const inCallback = await link({ oauth: { scopeSeparator: ',', grantedScopesIn: 'callback' } }, { scope: ' read,' });
    expect([inCallback.connection?.grantedScopes, inCallback.connection?.deniedScopes]).toEqual([['read'], ['sleep:all']]);
    const byApi = await link({ oauth: {}, account: async () => ({ providerUserId: 'u', account: {}, grantedScopes: ['sleep:all'] }) });
    expect([byApi.connection?.grantedScopes, byApi.connection?.deniedScopes]).toEqual([['sleep:all'], ['read']]);
    expect((await link({ oauth: {} })).connection?.deniedScopes).toEqual([]);
  });

  it('the user id comes from the token response, or else from the account', async () => {
    const inTokens = await link({ oauth: { userIdPath: ['athlete', 'id'] }, tokens: { athlete: { id: 42 } } });
    expect(inTokens.connection?.providerUserId).toBe('42');
    expect((await link({ oauth: {} })).connection?.providerUserId).toBe('from-account');
  });

  it('replaces rotated refresh tokens, keeps those not repeated, and needs none for lasting tokens', async () => {
    const refreshTokenOf = async (habits: Habits) => {
      const { harness, connection, requests } = await link(habits);
      const tokens: unknown[] = [];
      for (let i = 0; i < 2; i++) {
        await expire();
        await getAccessToken(harness.context, connection?.connectionId ?? '').catch((error: { code: string }) => tokens.push(error.code));
        const last = requests.at(-1) as HttpRequest;
        if (last.form?.['grant_type'] === 'refresh_token') tokens.push(last.form['refresh_token']);
      }
      return tokens;
    };
    const tokens = { refresh_token: 'r1', expires_in: 60 };
    expect(await refreshTokenOf({ oauth: { refresh: 'rotates' }, tokens, refreshed: { refresh_token: 'r2', expires_in: 60 } })).toEqual([
      'r1',
      'r2',
    ]);
    expect(await refreshTokenOf({ oauth: { refresh: 'keeps' }, tokens, refreshed: { expires_in: 60 } })).toEqual(['r1', 'r1']);
    const forever = await link({ oauth: { refresh: 'none' } });
    expect(await getAccessToken(forever.harness.context, forever.connection?.connectionId ?? '')).toMatchObject({
      accessToken: 'access-1',
      expiresAt: null,
    });
    // A non-refreshable token that expires can only be replaced by linking again.
    expect(await refreshTokenOf({ oauth: { refresh: 'none' }, tokens: { expires_in: 60 } })).toEqual([
      'provider_consent_revoked',
      'connection_errored',
    ]);
  });

  it('a refresh sends the redirect address of the consent where the provider requires it', async () => {
    const { harness, connection, requests } = await link({ oauth: {}, tokens: { refresh_token: 'r1', expires_in: 60 } });
    await expire();
    await getAccessToken(harness.context, connection?.connectionId ?? '');
    expect(requests.at(-1)?.form?.['redirect_uri']).toBe('https://api.test/v2/link/connect/varied');
  });

  it('registers the user during the link; if that fails, a known account is still linked', async () => {
    let registered = 0;
    const account = async (): Promise<AccountFacts> => {
      registered += 1;
      throw new Error('not now');
    };
    const { outcome, connection } = await link({ oauth: { userIdPath: ['x_user_id'] }, tokens: { x_user_id: 7 }, account });
    expect([outcome.state, connection?.providerUserId, connection?.account, registered]).toEqual(['success', '7', {}, 1]);
  });

  it('a consent is revoked the way the provider requires', async () => {
    const taken: unknown[] = [];
    const revoke: NonNullable<OAuthSettings['revoke']> = async ({ accessToken, providerUserId }) =>
      taken.push([accessToken, providerUserId]) > 0;
    const account = async (): Promise<AccountFacts> => ({ providerUserId: 'leaving', account: {} });
    const { harness, user } = await link({ oauth: { revoke }, account });
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'varied' });
    await processDeregistrations(harness.context, { limit: 10, signal: AbortSignal.timeout(5000) });
    expect(taken).toEqual([['access-1', 'leaving']]);
  });
});
