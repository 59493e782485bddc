import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkErrorTypes } from '@pulsewire/contract';
import { noMetrics, type Logger } from '@pulsewire/kernel';
import { compose } from '@pulsewire/service-console';
import { useDatabase } from '../../support/database.ts';
import { apiConfig } from '../api/support/harness.ts';
import { providerDown, refusedLogin } from '../connections/fake-logins.ts';
import { createPageHarness, type PageHarness } from './harness.ts';

const database = useDatabase();
const lines: string[] = [];
const note = (fields: unknown, message?: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
const done = 'https://app.test/done?a=1';
let harness: PageHarness;

beforeAll(async () => {
  harness = await createPageHarness(database.current, { logger });
});
afterAll(() => harness.close());

const login = (token: string, username = 'ann', more: Readonly<Record<string, string>> = {}) =>
  harness.request('/form', { token, provider: 'strap', username, password: 'right', ...more });
const of = (token: string, query = '') => harness.request(`?token=${token}${query}`);
const headingOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];
const alertOf = (text: string) => /role="alert".*?<p class="alert-title">(.*?)<\/p>/.exec(text)?.[1];
const leavesTo = (text: string) =>
  /http-equiv="refresh" content="0; url=(.*?)"/.exec(text)?.[1]?.replaceAll('&amp;', '&').replaceAll('%20', ' ');

describe('the link page', () => {
  it('lists the providers of the link, or opens the only one directly', async () => {
    const all = await harness.newLink();
    const list = (await of(all.token)).text;
    for (const name of ['Fitbit', 'Strap', 'Clinic', 'Aria Band']) expect(list).toContain(`<span class="name">${name}</span>`);
    const some = await harness.newLink({ filterOnProviders: ['strap', 'clinic'] });
    expect((await of(some.token)).text).not.toContain('Fitbit');
    const { text } = await of((await harness.newLink({ provider: 'strap' })).token);
    expect(headingOf(text)).toBe('Connect Strap');
    expect(text).not.toContain('Choose another one');
    expect((await of((await harness.newLink({ filterOnProviders: ['oura'] })).token)).text).toContain('nothing to connect here');
  });

  it('shows a form of the fields that the provider declares, with labels, hints and choices', async () => {
    const { token } = await harness.newLink();
    const { text } = await of(token, '&provider=strap');
    expect(text).toContain('<label for="field-username">User name</label>');
    expect(text).toMatch(/<input [^>]*name="password"[^>]*autocomplete="current-password"[^>]*type="password"/);
    expect(text).toMatch(/<select [^>]*aria-describedby="field-region-hint"/);
    expect(text).toContain('<option value="eu">Europe</option>');
  });

  it('shows all errors of a form at once, without calling the provider', async () => {
    const { token } = await harness.newLink();
    const before = harness.logins.logins.length;
    const { text } = await harness.request('/form', { token, provider: 'strap', username: ' ', password: '', region: 'mars' });
    expect(alertOf(text)).toBe('Something is missing');
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(3);
    const clinic = await harness.request('/form', { token, provider: 'clinic', email: 'no address' });
    expect(clinic.text).toContain('An e-mail address looks like');
    expect(harness.logins.logins).toHaveLength(before);
  });

  it('shows the submitted values again, escaped, but never the password', async () => {
    const { token } = await harness.newLink();
    const { text } = await login(token, '"><script>alert(1)</script>', { password: 'hunter2', region: 'eu' });
    expect(alertOf(text)).toBe('That did not work');
    expect(text).toContain('value="&quot;>&lt;script>');
    expect(text).toContain('<option value="eu" selected>');
    expect(text).not.toContain('hunter2');
  });

  it('shows the final page after success, a different one for an invitation, or redirects', async () => {
    const { token } = await harness.newLink();
    const sent = await login(token);
    expect(sent.status).toBe(303);
    expect(headingOf((await of(token)).text)).toBe('Strap is connected');
    const invited = (await harness.newLink()).token;
    await harness.request('/form', { token: invited, provider: 'clinic', email: 'ann@example.com' });
    expect(headingOf((await of(invited)).text)).toBe('Almost done');
    const away = (await harness.newLink({ redirectUrl: done })).token;
    expect(leavesTo((await login(away)).text)).toBe(`${done}&state=success`);
    const again = await of(away);
    expect({ status: again.status, location: again.headers.get('location') }).toEqual({ status: 303, location: `${done}&state=success` });
  });

  it('offers the people whose data an account reads, escaped, and connects the chosen one', async () => {
    const { token } = await harness.newLink();
    const choices = [
      { value: '1', label: 'Ann <b>Example</b>' },
      { value: '2', label: 'Bea' },
    ];
    const ticket = JSON.stringify({ username: 'bob', password: 'right', region: 'eu' });
    harness.logins.next = { kind: 'mfa', method: 'choice', hint: 'Enter 1 or 2', choices, ticket, expiresInMs: 600_000 };
    await login(token, 'bob');
    const { text } = await of(token);
    expect(headingOf(text)).toBe('Whose data?');
    expect(text).toContain('<option value="1">Ann &lt;b>Example&lt;/b></option><option value="2">Bea</option>');
    const choose = (code: string) => harness.request('/code', { token, provider: 'strap', code });
    expect((await choose('')).text).toContain('Please choose a person.');
    expect((await choose('123456')).status).toBe(303);
    expect(harness.logins.codes.at(-1)).toBe('123456');
  });

  it('prompts for a pending code: a wrong one can be re-entered, an expired one needs a new sign-in', async () => {
    const code = (token: string, value: string) => harness.request('/code', { token, provider: 'strap', code: value });
    const { token } = await harness.newLink();
    await login(token, 'bob');
    expect((await of(token)).text).toContain('by text message to *** *** 12');
    const wrong = await code(token, '000000');
    expect([alertOf(wrong.text), headingOf(wrong.text)]).toEqual(['That code is wrong', 'Enter your code']);
    expect((await code(token, ' 123456 ')).status).toBe(303);
    const late = (await harness.newLink()).token;
    await login(late, 'bob');
    harness.clock.advance(11 * 60_000);
    const tooLate = await code(late, '123456');
    expect(alertOf(tooLate.text)).toBe('That code has expired');
    const many = (await harness.newLink()).token;
    await login(many, 'bob');
    let text = '';
    for (let tries = 0; tries < 10 && alertOf(text) !== 'Too many wrong codes'; tries += 1) ({ text } = await code(many, '000000'));
    expect([alertOf(text), headingOf(text)]).toEqual(['Too many wrong codes', 'Connect Strap']);
  });
});

describe('errors', () => {
  it.each(linkErrorTypes)('%s has its own plain-language message, without the text for developers', async (errorType) => {
    const { token } = await harness.newLink();
    const { text } = await of(token, `&state=error&error_type=${errorType}&error=debug-text`);
    expect(alertOf(text)?.length).toBeGreaterThan(5);
    expect(text).not.toContain(errorType);
    expect(text).not.toContain('debug-text');
  });

  it.each(['provider_credential_error', 'provider_password_expired', 'unsupported_region', 'provider_api_error'] as const)(
    '%s of a login is shown on the form, and sent to the team with on_error',
    async (errorType) => {
      harness.logins.next = refusedLogin(errorType);
      const shown = await login((await harness.newLink({ redirectUrl: done })).token);
      expect([alertOf(shown.text) !== undefined, headingOf(shown.text)]).toEqual([true, 'Connect Strap']);
      harness.logins.next = refusedLogin(errorType);
      const sent = await login((await harness.newLink({ redirectUrl: done, onError: 'redirect' })).token);
      expect(leavesTo(sent.text)).toContain(`state=error&error_type=${errorType}`);
    },
  );

  it('for an unavailable provider state that the user is not at fault', async () => {
    harness.logins.next = providerDown();
    expect(alertOf((await login((await harness.newLink()).token)).text)).toBe('Strap is not responding');
  });

  it('for an unusable link end the flow, whatever is submitted', async () => {
    const { token } = await harness.newLink();
    harness.clock.advance(61 * 60_000);
    const pages = [
      await of(token),
      await login(token),
      await harness.request('/code', { token, code: '1' }),
      await of('nonsense'),
      await harness.request(''),
    ];
    pages.push(await harness.request('/close', { token: 'nonsense' }), await harness.request(`/start?token=${token}&provider=fitbit`));
    expect(pages.map(({ text }) => headingOf(text))).toEqual([
      'This link has expired',
      'This link has expired',
      'This link has expired',
      'This link does not work',
      'This link does not work',
      'This link does not work',
      'This link has expired',
    ]);
    const away = await harness.newLink({ redirectUrl: done, onError: 'redirect' });
    harness.clock.advance(61 * 60_000);
    expect((await of(away.token)).headers.get('location')).toContain('error_type=token_expired');
    expect(leavesTo((await login(away.token)).text)).toContain('error_type=token_expired');
  });
});

describe('closing', () => {
  it('redirects with on_close, else shows a final page; the link keeps working', async () => {
    const stays = await harness.newLink({ redirectUrl: done });
    const bye = await harness.request('/close', { token: stays.token });
    expect([headingOf(bye.text), leavesTo(bye.text)]).toEqual(['Nothing was connected', undefined]);
    const leaves = await harness.newLink({ redirectUrl: done, onClose: 'redirect' });
    expect(leavesTo((await harness.request('/close', { token: leaves.token })).text)).toContain('error_type=user_cancelled');
    expect(leavesTo((await login(leaves.token)).text)).toBe(`${done}&state=success`);
  });

  it('never redirects to an address that would execute in the page', async () => {
    const { token } = await harness.newLink({ redirectUrl: 'javascript:alert(1)', onClose: 'redirect' });
    const { text } = await harness.request('/close', { token });
    expect([headingOf(text), text.includes('javascript:')]).toEqual(['Nothing was connected', false]);
    const app = await harness.newLink({ redirectUrl: 'myapp://linked', onClose: 'redirect' });
    expect(leavesTo((await harness.request('/close', { token: app.token })).text)).toMatch(/^myapp:\/\/linked\?state=error/);
  });
});

describe('the redirect to a provider', () => {
  it('works only for providers that the link may connect', async () => {
    const { token } = await harness.newLink({ filterOnProviders: ['fitbit', 'strap'] });
    const start = (provider: string) => harness.request(`/start?token=${token}&provider=${provider}`);
    const open = await start('fitbit');
    expect(open.status).toBe(303);
    expect(new URL(open.headers.get('location') ?? '').searchParams.get('state')).toBe(token);
    for (const provider of ['aria', 'strap', 'nobody']) expect((await start(provider)).headers.get('location')).toBeNull();
  });
});

describe('the console as a separate process', () => {
  it('names its port and the setting when the port is in use', async () => {
    const { connectors, connectorFor, platformApplication, isEnabled } = harness.context;
    const taken = net.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as net.AddressInfo;
    const config = { ...apiConfig, host: '127.0.0.1', port, databaseUrl: database.url, databaseConnectionsMax: 2, linkWebUrl: undefined };
    const providers = { connectors, connectorFor, platformApplication, isEnabled, withoutAddress: [], pushVerificationCode: () => null };
    await expect(compose({ ...config, baseUrl: harness.url }, { providers, logger, metrics: noMetrics })).rejects.toMatchObject({
      code: 'port_taken',
      message: `Port ${port} is in use. Set PORT to another one, or to 0 for any free one.`,
    });
    taken.close();
  });

  it('serves the same links beside the API, plans pulls, and stops on request', async () => {
    const { connectors, connectorFor, platformApplication, isEnabled } = harness.context;
    const own = await compose(
      {
        host: '127.0.0.1',
        port: 0,
        databaseUrl: database.url,
        databaseConnectionsMax: 3,
        baseUrl: `${harness.url}/`,
        linkWebUrl: 'http://link.test/connect/',
        encryptionKeys: apiConfig.encryptionKeys,
        linkTokenSecret: apiConfig.linkTokenSecret,
      },
      {
        providers: { connectors, connectorFor, platformApplication, isEnabled, withoutAddress: [], pushVerificationCode: () => null },
        logger,
        metrics: noMetrics,
        clock: harness.clock,
      },
    );
    const stop = new AbortController();
    const running = own.workers[0]?.run(stop.signal);
    const { token } = await harness.newLink();
    const page = await fetch(`${own.url}/connect?token=${token}`);
    expect(await page.text()).toContain('action="/connect/close"');
    const form = { token, provider: 'strap', username: 'ann', password: 'right' };
    const sent = await fetch(`${own.url}/connect/form`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
    expect({ status: sent.status, location: sent.headers.get('location') }).toEqual({ status: 303, location: `/connect?token=${token}` });
    expect(headingOf((await of(token)).text)).toBe('Strap is connected');
    expect((await fetch(`${own.url}/v2/user`)).status).toBe(404);
    stop.abort();
    await running;
    await own.close();
    await expect(fetch(own.url)).rejects.toThrow('fetch failed');
    expect(lines.join('\n')).not.toContain(token);
  });
});

describe('the security of the page', () => {
  it('allows no inline or foreign code, no frames, no referrer and no caching', async () => {
    const { token } = await harness.newLink();
    const { headers, text } = await of(token);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/,
    );
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/<style|style="|<script(?![^>]*src="\/link\/assets\/)|\son\w+=|https?:\/\/(?!127\.0\.0\.1)/);
  });

  it('is below 24 KB uncompressed, without the logos', async () => {
    const { text } = await of((await harness.newLink()).token);
    const files = [...text.matchAll(/(?:href|src)="\/link(\/assets\/.*?)"/g)].map((match) => match[1] ?? '');
    expect(files).toHaveLength(3);
    const assets = await Promise.all(files.map((file) => harness.request(file)));
    expect(assets.map(({ headers }) => headers.get('cache-control'))).toEqual(files.map(() => expect.stringContaining('immutable')));
    expect(assets.reduce((sum, asset) => sum + asset.text.length, text.length)).toBeLessThan(24_000);
  });

  it('rejects long bodies and other content types', async () => {
    const { token } = await harness.newLink();
    expect((await login(token, 'x'.repeat(20_000))).status).toBe(413);
    const json = await fetch(`${harness.url}/link/form`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(json.status).toBe(415);
  });

  it('limits attempts per account, across links and spellings of the token', async () => {
    const { token } = await harness.newLink();
    const spellings = [token, `${token}=`, `${token}!`, `${token}==`, `${token} `];
    const before = harness.logins.logins.length;
    for (let tries = 0; tries < 30; tries += 1) await login(spellings[tries % spellings.length] ?? token, 'stranger');
    expect(harness.logins.logins.length - before).toBeLessThanOrEqual(10);
    for (let tries = 0; tries < 10; tries += 1) await login((await harness.newLink()).token, 'stranger');
    expect(harness.logins.logins.length - before).toBe(10);
    const refused = await login((await harness.newLink()).token, 'stranger');
    expect([refused.status, refused.headers.get('retry-after'), alertOf(refused.text)]).toEqual([429, '900', 'Too many attempts']);
    harness.clock.advance(15 * 60_000);
    expect((await login(token)).status).toBe(303);
  });

  it('leaves no token, name, password, code or address in the log', async () => {
    const { token } = await harness.newLink();
    await login(token, 'bob', { password: 'right' });
    await harness.request('/code', { token, provider: 'strap', code: '987654' });
    await harness.request('/form', { token, provider: 'clinic', email: 'nobody@example.com' });
    const log = lines.join('\n');
    expect(log).toContain('/link/form');
    for (const secret of [token, 'bob', 'right', '987654', 'nobody@example.com']) expect(log).not.toContain(secret);
  });
});
