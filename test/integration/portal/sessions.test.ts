import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createPortalHarness, secretValue, type PortalHarness } from './harness.ts';

const database = useDatabase();
let harness: PortalHarness;
beforeAll(async () => {
  harness = await createPortalHarness(database.current);
});
afterAll(() => harness.close());

/** Of an address that `fetch` would change before it sends it. */
async function statusOf(path: string, cookie: string): Promise<number | undefined> {
  const [response] = (await once(get(`${harness.url}/portal`, { path: `/portal${path}`, headers: { cookie } }), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  return response.statusCode;
}

interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function request(
  path: string,
  options: { cookie?: string; form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<Page> {
  const { cookie, form, headers } = options;
  const response = await fetch(`${harness.url}/portal${path}`, {
    redirect: 'manual',
    headers: { ...(cookie !== undefined && { cookie }), ...headers },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const cookieOf = ({ headers }: Page) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
const signIn = async (key: string) => cookieOf(await request('/sign-in', { form: { key } }));
const tokenOf = ({ text }: Page) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
const walker = () => `/users/${harness.users.walker}`;

/** Every page of the walker, on which values could appear. */
async function pagesOf(cookie: string): Promise<readonly Page[]> {
  const list = await request('/deliveries', { cookie });
  const links = [...list.text.matchAll(/href="\/portal(\/deliveries\/msg_\w+)"/g)].map(([, path]) => path as string);
  expect(links.length).toBeGreaterThan(3);
  const paths = ['', '/users', walker(), `${walker()}/day?resource=steps&day=2026-03-19`, ...new Set(links)];
  return Promise.all(paths.map((path) => request(path, { cookie })));
}

describe('a session of the portal', () => {
  it('reads no other path of the API for an id of dots', async () => {
    const cookie = await signIn(harness.team.key);
    for (const path of ['/deliveries/%2e', '/users/%2e', '/endpoints/%2e', '/users/%2e%2e', '/users/%2e/day?resource=steps&day=2026-03-19'])
      expect(await statusOf(path, cookie), path).toBe(404);
  });

  it('begins with a valid key, which no cookie, page or address contains', async () => {
    const refused = await request('/sign-in', { form: { key: 'sk_not_a_key_of_anybody' } });
    expect([refused.status, refused.text.includes('The key was refused'), refused.text.includes('not_a_key')]).toEqual([401, true, false]);
    expect((await request('')).headers.get('location')).toBe('/portal/sign-in');
    const begun = await request('/sign-in', { form: { key: harness.team.key } });
    expect([begun.status, begun.headers.get('location')]).toEqual([303, '/portal']);
    const header = begun.headers.get('set-cookie') ?? '';
    expect(header).toMatch(/; Path=\/portal; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const home = await request('', { cookie: cookieOf(begun) });
    expect(home.status).toBe(200);
    expect(`${header} ${home.text}`).not.toContain(harness.team.key);
    expect(home.headers.get('cache-control')).toBe('no-store');
    expect(home.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('does not open with a cookie that was changed or that another installation sealed', async () => {
    const cookie = await signIn(harness.team.key);
    const at = cookie.length - 5;
    const changed = `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`;
    for (const forged of [changed, 'pulsewire-portal=', 'pulsewire-portal=AAAA'])
      expect((await request('', { cookie: forged })).headers.get('location')).toBe('/portal/sign-in');
  });

  it('shows a page whose scope the key lacks greyed, with the name of the scope, and refuses it', async () => {
    const cookie = await signIn(await harness.newKey(['read']));
    const home = await request('', { cookie });
    expect(home.text).toMatch(/<span class="off">Deliveries<small>needs scope webhooks/);
    const refused = await request('/deliveries', { cookie });
    expect([refused.status, refused.text.includes('lacks the scope webhooks')]).toEqual([403, true]);
    const other = await signIn(await harness.newKey(['webhooks']));
    expect((await request('/users', { cookie: other })).status).toBe(403);
    expect((await request('/endpoints', { cookie: other })).status).toBe(200);
  });

  it("shows nothing of another team's users, messages and endpoints", async () => {
    const stranger = await harness.api.newCaller();
    const cookie = await signIn(stranger.key);
    const own = await signIn(harness.team.key);
    const [, message = ''] = /href="\/portal(\/deliveries\/msg_\w+)"/.exec((await request('/deliveries', { cookie: own })).text) ?? [];
    for (const path of [walker(), `${walker()}/day?resource=steps&day=2026-03-19`, message, `/endpoints/${harness.webhookId}`])
      expect([path, (await request(path, { cookie })).status]).toEqual([path, 404]);
  });

  it('masks health values until they are asked for, which the audit log records first', async () => {
    const cookie = await signIn(harness.team.key);
    const masked = await pagesOf(cookie);
    expect(masked.map(({ status }) => status)).toEqual(masked.map(() => 200));
    expect(masked.filter(({ text }) => text.includes(String(secretValue)))).toEqual([]);
    const asking = masked.find(({ text }) => text.includes('Show values')) as Page;
    const shown = await request(`${walker()}/reveal`, { cookie, form: { form_token: tokenOf(asking) } });
    expect([shown.status, shown.headers.get('location')]).toEqual([303, `/portal${walker()}`]);
    const { data } = (await harness.team.call('GET', `/v2/team/audit?user_id=${harness.users.walker}`)).body;
    const recorded = data.filter(({ action }: { action: string }) => action === 'revealUserValues');
    expect(recorded).toMatchObject([{ effect: 'secret', user_id: harness.users.walker, address: '127.0.0.1', status: 200 }]);
    const revealed = await pagesOf(cookieOf(shown));
    expect(revealed.some(({ text }) => text.includes(String(secretValue)))).toBe(true);
    // The old cookie shows no more than before.
    expect((await pagesOf(cookie)).filter(({ text }) => text.includes(String(secretValue)))).toEqual([]);
  });

  it('accepts forms only with its own token and from its own pages', async () => {
    const cookie = await signIn(harness.team.key);
    const other = await request('', { cookie: await signIn(harness.team.key) });
    const own = tokenOf(await request('', { cookie }));
    const post = (form_token: string, headers: Record<string, string> = {}) =>
      request(`${walker()}/reveal`, { cookie, form: { form_token }, headers });
    expect((await post('')).status).toBe(403);
    expect((await post(tokenOf(other))).status).toBe(403);
    expect((await post(own, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post(own, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await request('/sign-in', { form: { key: harness.team.key }, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await post(own)).status).toBe(303);
  });

  it('ends after half an hour without a page, when it is signed out, and when its key is revoked', async () => {
    const { clock } = harness.ingest;
    const cookie = await signIn(harness.team.key);
    clock.advance(29 * 60_000);
    const kept = cookieOf(await request('', { cookie }));
    expect(kept).not.toBe('');
    clock.advance(2 * 60_000);
    expect((await request('', { cookie })).headers.get('location')).toBe('/portal/sign-in');
    const page = await request('', { cookie: kept });
    const out = await request('/sign-out', { cookie: kept, form: { form_token: tokenOf(page) } });
    expect(out.headers.get('set-cookie')).toMatch(/^pulsewire-portal=;.*Max-Age=0$/);
    const key = await harness.newKey(null);
    const revoked = await signIn(key);
    await database.current.sql`UPDATE api_keys SET revoked_at = now() WHERE team_id = ${harness.team.team.teamId} AND label = 'Support'`;
    const refused = await request('', { cookie: revoked });
    expect([refused.status, refused.text.includes('Signed out')]).toEqual([401, true]);
  });
});
