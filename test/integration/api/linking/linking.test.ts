import { randomUUID } from 'node:crypto';
import { updateTeam } from '@pulsewire/connections';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, linkThroughApi, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let open: ApiHarness;
let caller: Caller;
let userId: string;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  open = await createApiHarness(database.current, { config: { linkTokenAloneAllowed: true } });
  caller = await harness.newCaller();
  userId = (await caller.call('POST', '/v2/user', { client_user_id: 'linker' })).body.user_id;
});
afterAll(async () => {
  await harness.close();
  await open.close();
});

const tokenFor = async (fields: object = {}) =>
  (await caller.call('POST', '/v2/link/token', { user_id: userId, ...fields })).body.link_token as string;
const start = (token: string | undefined, provider = 'fitbit', headers: Record<string, string> = {}) =>
  caller.call('GET', `/v2/link/provider/oauth/${provider}`, undefined, {
    ...(token !== undefined && { 'x-service-link-token': token }),
    ...headers,
  });

describe('POST /v2/link/token', () => {
  it('signs the claims of the contract and returns the address of the link page', async () => {
    const reply = await caller.call('POST', '/v2/link/token', {
      user_id: userId,
      provider: 'fitbit',
      filter_on_providers: ['fitbit'],
      on_error: 'redirect',
      on_close: null,
    });
    const [head, claims] = (reply.body.link_token as string)
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
    expect(head).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(claims).toMatchObject({
      aud: 'https://api.test/v2/link',
      team_id: caller.team.teamId,
      user_id: userId,
      sub: expect.any(String),
    });
    expect((claims?.['exp'] as number) - (claims?.['iat'] as number)).toBe(3600);
    expect(reply.body.link_web_url).toBe(`https://api.test/link?token=${encodeURIComponent(reply.body.link_token)}`);
  });

  it('reports unknown providers, empty filters and wrong literals together; 404 for unknown users', async () => {
    const reply = await caller.call('POST', '/v2/link/token', {
      user_id: 'x',
      provider: 'acme',
      filter_on_providers: [],
      on_error: 'show',
      redirect_url: 'not a url',
    });
    expect(reply.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type])).toEqual([
      ['user_id', 'uuid_parsing'],
      ['provider', 'enum'],
      ['redirect_url', 'value_error'],
      ['filter_on_providers', 'too_short'],
      ['on_error', 'enum'],
    ]);
    expect(reply.body.detail[1].ctx.expected).toContain("'fitbit'");
    expect((await caller.call('POST', '/v2/link/token', { user_id: randomUUID() })).status).toBe(404);
  });
});

describe('redirect_url of a link token', () => {
  const ask = (url: string) => caller.call('POST', '/v2/link/token', { user_id: userId, redirect_url: url });
  const statuses = async (...urls: string[]) => (await Promise.all(urls.map(ask))).map(({ status }) => status);

  it('is https, http on localhost, or has a scheme that the team registered', async () => {
    expect(await statuses('https://app.test/done', 'http://127.0.0.1:3000/done', 'http://localhost/x')).toEqual([200, 200, 200]);
    expect(await statuses('myapp://done', 'http://app.test/done')).toEqual([422, 422]);
    await updateTeam(database.current, caller.team.teamId, { redirectSchemes: ['myapp'] });
    expect(await statuses('myapp://done', 'otherapp://done')).toEqual([200, 422]);
  });

  it('never has control characters or backslashes, which browsers drop or replace', async () => {
    const urls = ['\r\n', '\t', '\\', '\u0085', '\u0000'].map((text) => `https://app.test/do${text}ne`);
    expect(await statuses(...urls)).toEqual(urls.map(() => 422));
  });

  it('never has a scheme that a browser executes or passes to a system program', async () => {
    const urls = [
      'ms-msdt:/id PCWDiagnostic',
      'intent://x#Intent;end',
      'feed:javascript:alert(1)',
      'javascript:alert(1)',
      'data:text/html,x',
    ];
    expect(await statuses(...urls)).toEqual(urls.map(() => 422));
    const { body } = await ask('ms-msdt:x');
    expect(body.detail).toMatchObject([{ loc: ['body', 'redirect_url'], type: 'value_error' }]);
    const register = updateTeam(database.current, caller.team.teamId, { redirectSchemes: ['myapp', 'ms-msdt', 'intent'] });
    await expect(register).rejects.toMatchObject({ code: 'scheme_refused', message: expect.stringContaining('ms-msdt, intent') });
  });
});

describe('GET /v2/link/provider/oauth/{provider}', () => {
  it('shows the days of history that the team gets', async () => {
    await updateTeam(database.current, caller.team.teamId, { historyDays: 300 });
    expect((await start(await tokenFor())).body.backfill_num_days).toBe(300);
    await updateTeam(database.current, caller.team.teamId, { historyDays: null });
  });

  it('returns the provider and an authorization URL with PKCE and the token as state', async () => {
    const token = await tokenFor();
    const { body } = await start(token);
    expect(body).toMatchObject({
      slug: 'fitbit',
      name: 'Fitbit',
      auth_type: 'oauth',
      source_type: 'provider',
      is_active: true,
      backfill_num_days: 90,
      id: expect.any(Number),
      group: null,
    });
    const query = new URL(body.oauth_url).searchParams;
    expect(query.get('state')).toBe(token);
    expect(query.get('redirect_uri')).toBe('https://api.test/v2/link/connect/fitbit');
    expect(query.get('code_challenge_method')).toBe('S256');
  });

  it('rejects an invalid, a missing or a differently pinned token with invalid_token', async () => {
    const pinned = await tokenFor({ provider: 'other_band' });
    for (const token of ['nonsense', undefined, pinned]) {
      const reply = await start(token);
      expect([reply.status, reply.body.detail.error_type]).toEqual([400, 'invalid_token']);
    }
    expect((await start(await tokenFor(), 'acme')).body.detail[0]).toMatchObject({ loc: ['path', 'oauth_provider'], type: 'enum' });
  });

  it('rejects expired and consumed tokens with their own error types', async () => {
    const consumed = await tokenFor();
    const { body } = await start(consumed);
    await harness.bare('GET', `/v2/link/connect/fitbit?state=${consumed}&code=${harness.provider.agree(body.oauth_url, { account: 'X' })}`);
    expect((await start(consumed)).body.detail.error_type).toBe('token_consumed');
    const late = await tokenFor();
    harness.clock.advance(61 * 60_000);
    expect((await start(late)).body.detail.error_type).toBe('token_expired');
  });

  it("requires a key unless the switch is set, and rejects another team's token", async () => {
    const token = await tokenFor();
    const header = { 'x-service-link-token': token };
    expect((await harness.bare('GET', '/v2/link/provider/oauth/fitbit', undefined, header)).status).toBe(401);
    expect((await open.bare('GET', '/v2/link/provider/oauth/fitbit', undefined, header)).status).toBe(200);
    expect((await open.bare('GET', '/v2/link/provider/oauth/fitbit')).status).toBe(401);
    expect((await open.bare('GET', '/v2/link/provider/oauth/fitbit', undefined, { ...header, 'x-service-api-key': 'wrong' })).status).toBe(
      401,
    );
    const foreign = await harness.newCaller();
    const reply = await foreign.call('GET', '/v2/link/provider/oauth/fitbit', undefined, header);
    expect([reply.status, reply.body.detail.error_type]).toEqual([400, 'invalid_token']);
  });

  it('reports that no application is configured', async () => {
    const reply = await start(await tokenFor(), 'other_band');
    expect([reply.status, reply.body.detail]).toEqual([400, 'No OAuth application is configured for this provider']);
  });
});

describe('the callback', () => {
  it('redirects with the original query of the address, and plans the pulls', async () => {
    const before = harness.planned.length;
    const end = await linkThroughApi(harness, caller, userId);
    expect([end.origin + end.pathname, end.searchParams.get('state')]).toEqual(['https://app.test/done', 'success']);
    expect(harness.planned.length).toBe(before + 1);
    const token = await tokenFor({ redirect_url: 'https://app.test/done?session=7' });
    const { body } = await start(token);
    const back = await harness.bare(
      'GET',
      `/v2/link/connect/fitbit?state=${token}&code=${harness.provider.agree(body.oauth_url, { account: 'Y' })}`,
    );
    expect(back.headers['location']).toBe('https://app.test/done?session=7&state=success');
  });

  it('redirects an error with its type and text', async () => {
    const token = await tokenFor({ redirect_url: 'https://app.test/done' });
    await start(token);
    const back = await harness.bare('GET', `/v2/link/connect/fitbit?state=${token}&error=access_denied`);
    const query = new URL(String(back.headers['location'])).searchParams;
    expect([back.status, query.get('state'), query.get('error_type')]).toEqual([307, 'error', 'user_cancelled']);
    expect(query.get('error')).toBeTruthy();
  });

  it('shows a page when no redirect is known, without echoing the query', async () => {
    const back = await harness.bare('GET', '/v2/link/connect/fitbit?state=%3Cscript%3E&code=1');
    expect(back.status).toBe(400);
    expect(back.headers['content-type']).toContain('text/html');
    expect(back.headers['content-security-policy']).toContain("default-src 'none'");
    expect(back.text).not.toContain('<script>');
    const token = await tokenFor();
    const { body } = await start(token);
    const done = await harness.bare(
      'GET',
      `/v2/link/connect/fitbit?state=${token}&code=${harness.provider.agree(body.oauth_url, { account: 'Z' })}`,
    );
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Connected')]);
  });

  it('creates one connection from two concurrent callbacks', async () => {
    const token = await tokenFor({ redirect_url: 'https://app.test/done' });
    const { body } = await start(token);
    const code = harness.provider.agree(body.oauth_url, { account: 'TWICE' });
    const backs = await Promise.all([1, 2].map(() => harness.bare('GET', `/v2/link/connect/fitbit?state=${token}&code=${code}`)));
    const ends = backs.map(({ headers }) => new URL(String(headers['location'])).searchParams);
    expect(ends.map((query) => query.get('error_type') ?? 'success').toSorted()).toEqual(['success', 'token_consumed']);
  });
});

describe('provider pushes', () => {
  it('are received as the exact bytes, with the response that the provider expects', async () => {
    const reply = await harness.bare('POST', '/v2/push/fitbit', '[{"a": 1 }]\n', { 'content-type': 'application/json' });
    expect([reply.status, harness.pushes.at(-1)]).toEqual([204, { provider: 'fitbit', body: '[{"a": 1 }]\n' }]);
    const odd = await harness.bare('POST', '/v2/push/fitbit', 'not json', { 'content-type': 'text/x-odd' });
    expect([odd.status, harness.pushes.at(-1)?.body]).toEqual([204, 'not json']);
    expect((await harness.bare('GET', '/v2/push/fitbit?verify=abc')).status).toBe(204);
  });

  it('are a 404 for providers that do not push', async () => {
    expect((await harness.bare('POST', '/v2/push/other_band', '{}')).status).toBe(404);
    expect((await harness.bare('POST', '/v2/push/acme', '{}')).status).toBe(404);
  });
});
