import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { useDatabase } from '../../../support/database.ts';
import { browserPath, openBrowser, skippedBecause } from '../../console/browser.ts';
import { createApiStage, type ApiStage } from '../support/setup.ts';

const database = useDatabase();
let stage: ApiStage;
let browser: Browser;
let url: string;

beforeAll(async () => {
  if (browserPath === undefined) return;
  stage = await createApiStage(database.current);
  ({ url } = await stage.api.listen());
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

describe.skipIf(browserPath === undefined)(`the API documentation in a browser${skippedBecause}`, () => {
  it('opens the linked operation with samples in four languages and loads nothing from elsewhere', async () => {
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
          // The clients of Go, JavaScript, Python and the shell.
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
