import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { useDatabase } from '../../support/database.ts';
import { barriers, browserPath, openBrowser, openVisit, skippedBecause } from './browser.ts';
import { createPageHarness, type PageHarness } from './harness.ts';

const database = useDatabase();
const done = 'https://app.test/done';
let harness: PageHarness;
let browser: Browser;

const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.id || document.activeElement.getAttribute("role") || document.activeElement.textContent');
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

/** Presses Tab until the focused element has the text; gives up after 20 presses, as a person would. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    if ((await focused(page)).includes(text)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${text}`);
}

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Connect Strap' }).click();
}

describe.skipIf(browserPath === undefined)(`the link page in Chromium${skippedBecause}`, { timeout: 90_000 }, () => {
  beforeAll(async () => {
    harness = await createPageHarness(database.current);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await harness.close();
  });

  it('can be used with the keyboard only, from search to the return to the app', async () => {
    const { context, page, complaints } = await openVisit(browser);
    const { href } = await harness.newLink({ redirectUrl: done });
    await page.goto(href);
    await tabTo(page, 'search');
    await page.keyboard.type('user name');
    expect(await page.getByRole('status').textContent()).toBe('1 found');
    expect(await page.getByRole('listitem').count()).toBe(1);
    await tabTo(page, 'Strap');
    await page.keyboard.press('Enter');
    await page.waitForURL(/provider=strap/);
    await expect.poll(() => focused(page)).toBe('field-username');
    await page.keyboard.type('bob');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    // The error is read out first; the submitted values are still there, except for the password.
    await expect.poll(() => focused(page)).toBe('alert');
    expect(await page.getByLabel('User name').inputValue()).toBe('bob');
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    await tabTo(page, 'field-password');
    await page.keyboard.type('right');
    await tabTo(page, 'Show');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await tabTo(page, 'field-region');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Connect Strap');
    await page.keyboard.press('Enter');
    await page.getByLabel('Code').waitFor();
    await expect.poll(() => focused(page)).toBe('field-code');
    expect(harness.logins.logins.at(-1)).toEqual({ username: 'bob', password: 'right', region: 'eu' });
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('That code is wrong');
    await tabTo(page, 'field-code');
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await page.waitForURL(/^https:\/\/app\.test/);
    expect(page.url()).toBe(`${done}?state=success`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('redirects to the provider and back: cancelling allows a retry, agreeing connects', async () => {
    const { context, page, complaints } = await openVisit(browser);
    const requests: { readonly url: string; readonly referrer: string | undefined }[] = [];
    page.on('request', (request) => void requests.push({ url: request.url(), referrer: request.headers()['referer'] }));
    const { href, token } = await harness.newLink();
    await page.goto(href);
    await page.getByRole('link', { name: 'Fitbit' }).click();
    await page.getByRole('link', { name: 'Continue to Fitbit' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Nothing was connected');
    await page.getByRole('link', { name: 'Fitbit' }).click();
    await page.getByRole('link', { name: 'Continue to Fitbit' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Connect this account to Team?' }).waitFor();
    expect(await focused(page)).not.toBe('Connect to Team');
    await page.getByRole('button', { name: 'Connect to Team' }).click();
    await page.getByRole('heading', { name: 'Fitbit is connected' }).waitFor();
    expect(new URL(page.url()).searchParams.get('token')).toBe(token);
    const fromUs = requests.filter(({ referrer }) => referrer?.includes(harness.url));
    expect(fromUs).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('closes with its button, and redirects to the app with on_close', async () => {
    const { context, page, complaints } = await openVisit(browser);
    await page.goto((await harness.newLink({ redirectUrl: done })).href);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Go back and connect' }).click();
    expect(await heading(page)).toBe('Connect a device or app');
    await page.goto((await harness.newLink({ redirectUrl: done, onClose: 'redirect' })).href);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(/^https:\/\/app\.test.*error_type=user_cancelled/);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('works without its script', async () => {
    const { context, page } = await openVisit(browser, { javaScriptEnabled: false });
    await page.goto((await harness.newLink({ redirectUrl: done })).href);
    await page.getByRole('link', { name: 'Strap' }).click();
    await signIn(page, 'bob', 'right');
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(/^https:\/\/app\.test/);
    expect(page.url()).toBe(`${done}?state=success`);
    await context.close();
  });

  it('is accessible at every step (axe-core), in light and dark, without horizontal scrolling', async () => {
    // Colours in transition to the other scheme belong to neither.
    const { context, page, complaints } = await openVisit(browser, { reducedMotion: 'reduce' });
    const found: string[] = [];
    const look = async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      found.push(...(await barriers(page)));
      await page.emulateMedia({ colorScheme: 'dark' });
      found.push(...(await barriers(page, ['color-contrast'])));
      const full = page.viewportSize() ?? { width: 900, height: 800 };
      await page.setViewportSize({ width: 320, height: 600 });
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (excess > 0) found.push(`${await heading(page)}: ${excess} px too wide`);
      await page.setViewportSize(full);
    };
    const { href, token } = await harness.newLink();
    await page.goto(href);
    await look();
    await page.goto(`${href}&provider=fitbit`);
    await look();
    await page.goto(`${href}&provider=strap`);
    await signIn(page, 'stranger', 'wrong');
    await page.getByRole('alert').waitFor();
    await look();
    await signIn(page, 'bob', 'right');
    await page.getByLabel('Code').waitFor();
    await look();
    await harness.request('/code', { token, provider: 'strap', code: '123456' });
    await page.goto(href);
    await look();
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
