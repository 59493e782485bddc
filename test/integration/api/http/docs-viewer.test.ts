import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { useDatabase } from '../../../support/database.ts';
import { browserPath, openBrowser, skippedBecause } from '../../console/browser.ts';
import { createApiHarness, type ApiHarness } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let browser: Browser;
let url: string;

beforeAll(async () => {
  if (browserPath === undefined) return;
  harness = await createApiHarness(database.current);
  ({ url } = await harness.api.listen());
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await harness?.close();
});

describe.skipIf(browserPath === undefined)(`the API documentation in a browser${skippedBecause}`, () => {
  it('opens the linked operation with samples in four languages, without third-party requests', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) complaints.push(request.url());
    });
    for (const operation of ['timeseries/readHeartrateGrouped', 'webhooks/createWebhook']) {
      await page.goto('about:blank');
      await page.goto(`${url}/docs#tag/${operation}`);
      const section = page.locator(`section[id$="tag/${operation}"]`);
      await section.waitFor();
      await expect.poll(async () => (await section.boundingBox())?.y).toBeLessThan(200);
      await section.getByRole('button', { name: 'Shell Curl' }).click();
      await expect
        .poll(async () => (await page.getByRole('option').allInnerTexts()).map((text) => text.trim()))
        .toEqual([
          // The clients for Go, JavaScript, Python and the shell.
          'NewRequest',
          'Fetch',
          'Requests',
          'Curl',
        ]);
      await page.keyboard.press('Escape');
    }
    expect(complaints).toEqual([]);
  }, 60_000);
});
