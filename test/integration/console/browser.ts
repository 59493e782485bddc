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

/** The system's browser; undefined when none is installed. */
export const browserPath = places.find((path) => existsSync(path));

/** Appended to the names of suites that are skipped without a browser. */
export const skippedBecause = browserPath === undefined ? ' (skipped: no Chromium on this machine)' : '';

export async function openBrowser(): Promise<Browser> {
  // Without its sandbox: with it, the browser does not start as root in a container. It loads only these pages.
  return chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Problems that the browser reported: policy violations, failed scripts, missing files. */
  readonly complaints: string[];
}

/** A new browser profile and window. `https://app.test` exists and shows its own page. */
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

/** Accessibility violations found by axe-core, with their location: by all of its rules, best practices included, or by some. */
export async function barriers(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Injected through the debugger, because page policies do not apply there.
  await page.evaluate(`window.axe ?? (() => {${axe.source}})();0`);
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${rules ? JSON.stringify({ runOnly: rules }) : ''})`);
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
