import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { listConnections } from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import { barriers, browserPath, openBrowser, openVisit, skippedBecause } from './browser.ts';
import { createPageHarness, type PageHarness } from './harness.ts';

const database = useDatabase();
const done = 'https://app.test/done';
let sandbox: PageHarness;
let live: PageHarness;

beforeAll(async () => {
  sandbox = await createPageHarness(database.current, { isSandbox: true });
  live = await createPageHarness(database.current);
});
afterAll(async () => {
  await sandbox.close();
  await live.close();
});

const headingOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];
const createdEvents = (provider: string) =>
  database.current.sql<{ json: string }[]>`
    SELECT json FROM log_events WHERE event_type = 'provider.connection.created' AND json LIKE ${`%"slug":"${provider}"%`}`;

async function connectionsOf(token: string) {
  const [session] = await database.current.sql<{ team_id: string; user_id: string }[]>`
    SELECT team_id, user_id FROM link_sessions WHERE session_id = ${(JSON.parse(atob(token.split('.')[1] ?? '')) as { sub: string }).sub}`;
  return session ? listConnections(database.current, session.team_id, [session.user_id]) : [];
}

describe('generated data on the link page', () => {
  it('is offered only to users of sandbox teams, next to the real provider', async () => {
    const { token } = await sandbox.newLink();
    expect((await sandbox.request(`?token=${token}`)).text).toContain('<span class="name">Fitbit demo</span>');
    const other = await live.newLink();
    expect((await live.request(`?token=${other.token}`)).text).not.toContain('demo');
  });

  it('connects immediately, once, and consumes the link', async () => {
    const { token } = await sandbox.newLink({ redirectUrl: done });
    const page = await sandbox.request(`?token=${token}&provider=demo-fitbit`);
    expect(headingOf(page.text)).toBe('Connect Fitbit demo');
    const before = (await createdEvents('fitbit')).length;
    const sent = await sandbox.request('/form', { token, provider: 'demo-fitbit' });
    expect(sent.text).toContain(`url=${done}?state=success`);
    expect(await connectionsOf(token)).toMatchObject([{ provider: 'fitbit', isDemo: true, status: 'connected' }]);
    expect((await createdEvents('fitbit')).length).toBe(before + 1);
    await sandbox.request('/form', { token, provider: 'demo-fitbit' });
    expect((await createdEvents('fitbit')).length).toBe(before + 1);
  });

  it('is also offered for a phone source, without a connector', async () => {
    const { token } = await sandbox.newLink();
    expect((await sandbox.request(`?token=${token}`)).text).toContain('<span class="name">Apple HealthKit demo</span>');
    await sandbox.request('/form', { token, provider: 'demo-apple_health_kit' });
    expect(headingOf((await sandbox.request(`?token=${token}`)).text)).toBe('Apple HealthKit is connected');
    expect(await connectionsOf(token)).toMatchObject([{ provider: 'apple_health_kit', isDemo: true, status: 'connected' }]);
  });

  it('cannot be connected with the link of a production team, whatever is submitted', async () => {
    const { token } = await live.newLink();
    const { text } = await live.request('/form', { token, provider: 'demo-fitbit' });
    expect(headingOf(text)).toBe('Connect a device or app');
    expect(await connectionsOf(token)).toEqual([]);
  });

  it('is not offered when the link is limited to one provider', async () => {
    const { token } = await sandbox.newLink({ provider: 'fitbit' });
    expect(headingOf((await sandbox.request(`?token=${token}`)).text)).toBe('Connect Fitbit');
  });
});

describe('manual sources on the link page', () => {
  it('are offered only when the link names them', async () => {
    const open = await live.newLink();
    expect((await live.request(`?token=${open.token}`)).text).not.toContain('Omron');
    const { token } = await live.newLink({ filterOnProviders: ['omron_ble', 'strap'] });
    const { text } = await live.request(`?token=${token}`);
    for (const name of ['Omron (Bluetooth)', 'Strap']) expect(text).toContain(`<span class="name">${name}</span>`);
    const logo = await fetch(`${live.url}/logos/omron_ble.svg`);
    expect([logo.status, await logo.text()]).toEqual([200, expect.stringContaining('>OB</text>')]);
  });

  it('are connected under a name that the user must enter', async () => {
    const { token } = await live.newLink({ provider: 'omron_ble' });
    expect((await live.request('/form', { token, provider: 'omron_ble', username: ' ' })).text).toContain('Please fill in');
    const sent = await live.request('/form', { token, provider: 'omron_ble', username: 'My cuff' });
    expect(sent.status).toBe(303);
    expect(headingOf((await live.request(`?token=${token}`)).text)).toBe('Omron (Bluetooth) is connected');
    expect(await connectionsOf(token)).toMatchObject([{ provider: 'omron_ble', providerUserId: 'My cuff', isDemo: false }]);
    expect(await createdEvents('omron_ble')).toHaveLength(1);
  });
});

describe.skipIf(browserPath === undefined)(`both in Chromium${skippedBecause}`, { timeout: 90_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('are accessible (axe-core), and work with the keyboard only and without the script', async () => {
    const { context, page, complaints } = await openVisit(browser, { reducedMotion: 'reduce' });
    const found: string[] = [];
    const look = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await barriers(page)));
      }
    };
    await page.goto((await sandbox.newLink()).href);
    await look();
    await page.getByRole('link', { name: 'Fitbit demo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connect Fitbit demo' }).waitFor();
    await look();
    await page.getByRole('button', { name: 'Connect Fitbit demo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Fitbit is connected' }).waitFor();
    await look();
    await page.goto((await live.newLink({ provider: 'omron_ble' })).href);
    await look();
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();

    const plain = await openVisit(browser, { javaScriptEnabled: false });
    await plain.page.goto((await live.newLink({ provider: 'manual', redirectUrl: done })).href);
    await plain.page.getByLabel('Name of the device or account').fill('Diary');
    await plain.page.getByRole('button', { name: 'Connect Manual entry' }).click();
    await plain.page.waitForURL(/^https:\/\/app\.test/);
    expect(plain.page.url()).toBe(`${done}?state=success`);
    await plain.context.close();
  });
});
