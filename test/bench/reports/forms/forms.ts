import jpeg from 'jpeg-js';
import PdfDocument from 'pdfkit';
import type { Random } from '../model/random.ts';
import { degrade, type Damage } from './degrade.ts';
import { renderPages, type Picture } from './render.ts';

/** How a report reaches the parser. */
export interface Form {
  readonly name: 'text' | 'scan-200' | 'scan-300' | 'rotated' | 'noisy';
  /** One PDF, or an image for each page. */
  readonly make: (pdf: Buffer, random: Random) => Promise<readonly Buffer[]>;
}

export function toJpeg({ pixels, width, height }: Picture, quality: number): Buffer {
  const colours = Buffer.alloc(pixels.length * 4, 255);
  for (let at = 0; at < pixels.length; at++) colours.fill(pixels[at] ?? 255, at * 4, at * 4 + 3);
  return Buffer.from(jpeg.encode({ data: colours, width, height }, quality).data);
}

/** A PDF whose pages are images, as document scanners write it. */
export async function pdfOf(pictures: readonly Buffer[]): Promise<Buffer> {
  const doc = new PdfDocument({ size: 'LETTER', margin: 0, autoFirstPage: false, info: { CreationDate: new Date(0) } });
  const parts: Buffer[] = [];
  const done = new Promise<void>((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  for (const picture of pictures) doc.addPage().image(picture, 0, 0, { width: 612, height: 792 });
  doc.end();
  await done;
  return Buffer.concat(parts);
}

/** Up to eight pages may be uploaded as images. */
const picturesMax = 8;

const scan = (name: Form['name'], settings: (random: Random) => Damage & { readonly dpi: number; readonly quality: number }): Form => ({
  name,
  async make(pdf, random) {
    const { dpi, quality, ...damage } = settings(random);
    const pictures: Buffer[] = [];
    for (const picture of await renderPages(pdf, dpi)) pictures.push(toJpeg(degrade(picture, damage, random), quality));
    return random.chance(0.5) && pictures.length <= picturesMax ? pictures : [await pdfOf(pictures)];
  },
});

const clean = { degrees: 0, grain: 3, dust: 0, paper: 250, blurred: false };
const sign = (random: Random) => (random.chance(0.5) ? 1 : -1);

export const forms: readonly Form[] = [
  { name: 'text', make: async (pdf) => [pdf] },
  scan('scan-200', () => ({ ...clean, dpi: 200, quality: 75 })),
  scan('scan-300', () => ({ ...clean, dpi: 300, quality: 75 })),
  scan('rotated', (random) => ({ ...clean, dpi: random.pick([200, 300]), quality: 75, degrees: sign(random) * random.between(0.4, 2) })),
  scan('noisy', (random) => ({
    degrees: sign(random) * random.between(0, 0.5),
    grain: random.between(12, 22),
    dust: 0.0008,
    paper: random.integer(220, 245),
    blurred: true,
    dpi: random.pick([200, 300]),
    quality: random.integer(40, 60),
  })),
];
