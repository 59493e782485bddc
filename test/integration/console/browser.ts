import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The system's browser; undefined where there is none. */
export const browserPath = places.find((path) => existsSync(path));

/** In the name of what is skipped without one. */
export const skippedBecause = browserPath === undefined ? ' (skipped: no Chromium on this machine)' : '';

export async function openBrowser(): Promise<Browser> {
  // Without its sandbox: as root, in containers, it does not start with it. It sees nothing but these pages.
  return chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained of: policies that were broken, scripts that failed, files that were not there. */
  readonly complaints: string[];
}

/** A new person at a new window. `https://app.test` is there and shows a page of its own. */
export async function openVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 900, height: 800 }, ...options });
  await context.route('https://app.test/**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>The team’s app</title>' }));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(String(error)));
  return { context, page, complaints };
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What axe-core finds that keeps people out, with where: by all of its rules, best practices included, or by some. */
export async function barriers(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // By the debugger's way in, which no policy of the page concerns.
  await page.evaluate(`window.axe ?? (() => {${axe.source}})();0`);
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${rules ? JSON.stringify({ runOnly: rules }) : ''})`);
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
