import type { Browser } from 'playwright-core';
import type { Random } from '../reports/model/random.ts';

/** How a report reaches the parser: printed by the browser, scanned flat, or photographed. */
export type Form = 'text' | 'scan' | 'photo';

const letter = { width: 816, height: 1056 };

/** The camera's view of a page on a table: seen from a side, turned, in the shadow of the hand, and compressed. */
function photographed(random: Random): string {
  const [side, above, turn] = [random.between(-7, 7), random.between(-7, 7), random.between(-2, 2)];
  const shadow = random.pick(['to right', 'to bottom', '135deg']);
  return `html{background:#8a8178;overflow:hidden}body{background:#fff;width:${letter.width - 106}px;height:${letter.height - 106}px;padding:53px;box-sizing:content-box;transform-origin:50% 45%;transform:perspective(2600px) rotateY(${side.toFixed(2)}deg) rotateX(${above.toFixed(2)}deg) rotateZ(${turn.toFixed(2)}deg) scale(.94)}body::after{content:"";position:fixed;inset:-40px;background:linear-gradient(${shadow},rgba(0,0,0,.22),transparent 65%)}`;
}

const scanned = (random: Random) =>
  `html{background:#fff;overflow:hidden}body{background:#fcfcfa;width:${letter.width - 106}px;height:${letter.height - 106}px;padding:53px;transform:rotate(${random.between(-0.8, 0.8).toFixed(2)}deg)}`;

/** Prints a page of HTML in a form. */
export async function printHtml(browser: Browser, html: string, form: Form, random: Random): Promise<Uint8Array> {
  const isPhoto = form === 'photo';
  const page = await browser.newPage({ viewport: letter, deviceScaleFactor: isPhoto ? 2.4 : 2.1 });
  try {
    await page.setContent(html);
    if (form === 'text') return await page.pdf({ format: 'Letter', preferCSSPageSize: true });
    await page.addStyleTag({ content: isPhoto ? photographed(random) : scanned(random) });
    return await page.screenshot({ type: 'jpeg', quality: isPhoto ? random.integer(70, 88) : 80 });
  } finally {
    await page.close();
  }
}
