import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Printer } from './engine.ts';

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((place) => existsSync(place));
const footer = /<footer-of-pages>([\s\S]*?)<\/footer-of-pages>/;
const header = /<header-of-pages>([\s\S]*?)<\/header-of-pages>/;
const none = '<span></span>';

/** Browser print. A source may carry a header and a footer of all its pages in elements of their own. */
export const chromiumPrinter: Printer = {
  async missing() {
    return executable === undefined ? 'Chromium (package chromium)' : null;
  },
  async print(jobs) {
    const browser = await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage();
      for (const { source, pdf } of jobs) {
        await page.setContent(source.replace(footer, '').replace(header, ''));
        const footerTemplate = footer.exec(source)?.[1];
        const headerTemplate = header.exec(source)?.[1];
        await page.pdf({
          path: pdf,
          preferCSSPageSize: true,
          printBackground: true,
          displayHeaderFooter: footerTemplate !== undefined || headerTemplate !== undefined,
          footerTemplate: footerTemplate ?? none,
          headerTemplate: headerTemplate ?? none,
        });
      }
    } finally {
      await browser.close();
    }
  },
};
