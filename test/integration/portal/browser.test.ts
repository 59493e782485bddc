import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { useDatabase } from '../../support/database.ts';
import { barriers, browserPath, openBrowser, openVisit, skippedBecause, type Visit } from '../console/browser.ts';
import { createPortalHarness, secretValue, type PortalHarness } from './harness.ts';

const database = useDatabase();
let harness: PortalHarness;
let browser: Browser;

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

/** A signed-in visit that notes every request to another host. */
async function open(
  options: Parameters<typeof openVisit>[1] = {},
  key = harness.team.key,
): Promise<Visit & { readonly foreign: string[] }> {
  const visit = await openVisit(browser, options);
  const foreign: string[] = [];
  visit.page.on('request', (request) => void (request.url().startsWith(harness.url) || foreign.push(request.url())));
  await visit.page.goto(harness.url);
  await visit.page.getByLabel('API key of your team').fill(key);
  await visit.page.getByRole('button', { name: 'Sign in' }).click();
  await visit.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return { ...visit, foreign };
}

describe.skipIf(browserPath === undefined)(`the portal in Chromium${skippedBecause}`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    harness = await createPortalHarness(database.current);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await harness.close();
  });

  it('leads from the start to the users with a problem, and to what it is', async () => {
    const { context, page, complaints, foreign } = await open();
    await page.getByRole('link', { name: 'users with a broken connection' }).click();
    await page.getByRole('link', { name: 'broken', exact: true }).click();
    expect(await heading(page)).toBe('broken');
    expect(await page.getByRole('region', { name: 'Connections' }).textContent()).toContain('The provider refused the token');
    expect([...complaints, ...foreign]).toEqual([]);
    await context.close();
  });

  it('answers why a day is empty with one sentence and the remedy', async () => {
    const { context, page, complaints, foreign } = await open();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByLabel('Id or reference').fill('walk');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: 'walker' }).click();
    await page.getByLabel('Resource', { exact: true }).selectOption('weight');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.waitForURL(/\/day\?resource=weight/);
    await page.getByText('Nothing is stored. The user did not grant wristband the scope scale.').waitFor();
    await page.getByText('Let the user connect wristband again and grant it.').waitFor();
    expect([...complaints, ...foreign]).toEqual([]);
    await context.close();
  });

  it('leads from a stored day to the response of the provider and to every attempt of a delivery', async () => {
    const { context, page, complaints, foreign } = await open();
    await page.goto(`${harness.url}/portal/users/${harness.users.walker}/day?resource=steps&day=2026-03-19`);
    expect(await page.getByRole('region', { name: '3. Response of the provider' }).textContent()).toContain('/moves/2026-03-19');
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByLabel('State', { exact: true }).selectOption('failed');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/status=failed/);
    await page.getByRole('region', { name: 'Messages' }).getByRole('link').first().click();
    expect(await page.getByRole('region', { name: 'Attempts, newest first' }).textContent()).toContain('503');
    await page.getByRole('button', { name: 'Show values' }).click();
    await page.getByText('"event_type"').waitFor();
    expect(await page.getByRole('button', { name: 'Show values' }).count()).toBe(0);
    expect([...complaints, ...foreign]).toEqual([]);
    await context.close();
  });

  it('draws a day with the numbers of the API, in the zone of the user, and the same hours in a night', async () => {
    const { context, page, complaints, foreign } = await open();
    const walker = harness.users.walker;
    await page.goto(`${harness.url}/portal/users/${walker}/day?resource=steps&day=2026-03-19`);
    const masked = await page.content();
    expect(masked).toContain('3 samples, values masked');
    expect(masked).not.toContain(String(secretValue));
    await page.getByRole('button', { name: 'Show values' }).click();
    const curve = page.getByRole('figure').filter({ hasText: 'steps, wristband watch' });
    const points = JSON.parse((await curve.getAttribute('data-points')) ?? '') as [number, number, number][];
    // The day of Kolkata begins at 18:30 UTC, so midnight in UTC is 05:30.
    const { groups } = (
      await harness.team.call('GET', `/v2/timeseries/${walker}/steps/grouped?start_date=2026-03-18T18:30:00Z&end_date=2026-03-19T18:29:59Z`)
    ).body;
    const samples: { timestamp: string; value: number }[] = groups.wristband.flatMap((group: { data: [] }) => group.data);
    const start = Date.parse('2026-03-18T18:30:00Z');
    expect(points).toEqual(samples.map(({ timestamp, value }) => [(Date.parse(timestamp) - start) / 1000, 1, value]));
    expect(await curve.locator('.gap title').allTextContents()).toContain('No samples from 00:00 to 05:30');
    await curve.locator('xpath=..').press('ArrowRight');
    expect(await curve.locator('output').textContent()).toBe('00:00: no sample');
    await page.getByRole('link', { name: 'Night', exact: true }).click();
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('22:30 to 06:30, wristband watch');
    const { sleep } = (await harness.team.call('GET', `/v2/summary/sleep/${walker}?start_date=2026-03-19&end_date=2026-03-19`)).body;
    const name = (await page.getByRole('img', { name: /Sleep stages/ }).getAttribute('aria-label')) ?? '';
    const seconds = [...name.matchAll(/(\d+) h (\d+) min/g)].map(([, hours, minutes]) => Number(hours) * 3600 + Number(minutes) * 60);
    expect(seconds).toEqual([sleep[0].awake, sleep[0].rem, sleep[0].light, sleep[0].deep]);
    expect([...complaints, ...foreign]).toEqual([]);
    await context.close();
  });

  it('can be read without its script', async () => {
    const { context, page } = await open({ javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByLabel('Connection').selectOption('none');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.getByRole('region', { name: 'Users' }).getByRole('link').allTextContents()).toEqual(['newcomer']);
    await context.close();
  });

  it('is accessible on every page (axe-core), in light and dark, without horizontal scrolling', async () => {
    const { context, page, complaints, foreign } = await open({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } });
    const found: string[] = [];
    const list = `${harness.url}/portal/deliveries?status=failed`;
    await page.goto(list);
    const message = await page.getByRole('region', { name: 'Messages' }).getByRole('link').first().getAttribute('href');
    const walker = `/portal/users/${harness.users.walker}`;
    const paths = [
      '/portal',
      '/portal/users',
      '/portal/users?query=nobody',
      walker,
      `${walker}/day?resource=steps&day=2026-03-19`,
      `${walker}/day?resource=weight&day=2026-03-19`,
      `${walker}/night?day=2026-03-19`,
      `${walker}/night?day=2026-03-10`,
      '/portal/deliveries',
      message ?? '',
      '/portal/endpoints',
      `/portal/endpoints/${harness.webhookId}`,
      '/portal/users/not-a-user',
    ];
    for (const path of [...paths, 'revealed', ...paths.filter((one) => /day|night/.test(one))]) {
      if (path === 'revealed') {
        await page.goto(`${harness.url}${walker}/night?day=2026-03-19`);
        await page.getByRole('button', { name: 'Show values' }).click();
        await page.getByRole('img', { name: /Sleep stages/ }).waitFor();
        continue;
      }
      await page.goto(`${harness.url}${path}`);
      await page.emulateMedia({ colorScheme: 'light' });
      found.push(...(await barriers(page)).map((text) => `${path} ${text}`));
      await page.emulateMedia({ colorScheme: 'dark' });
      found.push(...(await barriers(page, ['color-contrast'])).map((text) => `${path} dark ${text}`));
      await page.setViewportSize({ width: 320, height: 600 });
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (excess > 0) found.push(`${path}: ${excess} px too wide`);
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    await context.clearCookies();
    await page.goto(`${harness.url}/portal/sign-in`);
    found.push(...(await barriers(page)));
    expect(found).toEqual([]);
    // The browser reports the page that does not exist.
    expect(complaints.filter((text) => !text.includes('404') && !text.includes('400'))).toEqual([]);
    expect(foreign).toEqual([]);
    await context.close();
  });

  it('sends again, tests and reads now with one button each, and pauses only when the name is typed', async () => {
    const { context, page, complaints, foreign } = await open();
    await page.goto(`${harness.url}/portal/deliveries?status=failed`);
    await page.getByRole('region', { name: 'Messages' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The message is sent again now.').waitFor();
    expect(await page.getByRole('region', { name: 'State at each endpoint' }).textContent()).toContain('waiting');
    await page.goto(`${harness.url}/portal/endpoints/${harness.webhookId}`);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('none: a test event').waitFor();
    await page.goto(`${harness.url}/portal/endpoints/${harness.webhookId}`);
    const pause = page.locator('form').filter({ has: page.getByRole('button', { name: 'Pause' }) });
    await pause.getByRole('textbox').fill('something else');
    await pause.getByRole('button').click();
    await page.getByText('Nothing was done').waitFor();
    await pause.getByRole('textbox').fill('receiver.test');
    await pause.getByRole('button').click();
    await page.getByText('The endpoint is paused').waitFor();
    expect((await harness.team.call('GET', `/v2/team/webhook/${harness.webhookId}`)).body.disabled).toBe(true);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('The endpoint is enabled').waitFor();
    await page.goto(`${harness.url}/portal/users`);
    await page.getByLabel('Your reference').fill('made in the portal');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('The user was created.').waitFor();
    expect(await heading(page)).toBe('made in the portal');
    const read = await open({ javaScriptEnabled: false }, await harness.newKey(['read']));
    await read.page.goto(`${harness.url}/portal/users/${harness.users.walker}`);
    await read.page.getByText('Read at the providers now: needs a key with the scope write.').waitFor();
    expect([...complaints, ...foreign]).toEqual([]);
    await read.context.close();
    await context.close();
  });
});
