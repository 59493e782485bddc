import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, PSM, type Line as OcrLine } from 'tesseract.js';
import type { Raster } from '../image/raster.ts';
import type { Page, Word } from '../model/page.ts';
import { toGreyImage } from './grey-image.ts';

/** Recognises the words of images. One worker at a time; about two seconds a page. */
export interface Ocr {
  read(raster: Raster): Promise<Page>;
  close(): Promise<void>;
}

/** Words below this confidence without a letter, a digit or a comparison are noise, such as specks and lines. */
const confidenceMin = 20;
const isReadable = (text: string) => /[a-z0-9<>%]/i.test(text);

/** Starts the engine with the bundled English model; nothing is loaded from the network. */
export async function startOcr(): Promise<Ocr> {
  const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));
  const worker = await createWorker('eng', 1, {
    langPath: join(data, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    // Without a handler an engine error would be uncaught; the call rejects in any case.
    errorHandler: () => undefined,
  });
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK, preserve_interword_spaces: '1' });
  return {
    read: async (raster) => {
      const { data: page } = await worker.recognize(toGreyImage(raster), {}, { blocks: true });
      const lines = (page.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines));
      return toPage(lines, { width: raster.width, height: raster.height });
    },
    close: async () => void (await worker.terminate()),
  };
}

/** Words with the baseline of their line, turned upright when the page is skewed. */
function toPage(lines: readonly OcrLine[], size: { readonly width: number; readonly height: number }): Page {
  const slope = slopeOf(lines);
  const words: Word[] = [];
  const confidences: number[] = [];
  for (const line of lines) {
    const { x0, y0, x1, y1 } = line.baseline;
    const slant = x1 === x0 ? 0 : (y1 - y0) / (x1 - x0);
    const height = line.rowAttributes.rowHeight > 0 ? line.rowAttributes.rowHeight : line.bbox.y1 - line.bbox.y0;
    for (const { text, bbox, confidence } of line.words) {
      if (text.trim() === '' || (confidence < confidenceMin && !isReadable(text))) continue;
      confidences.push(confidence);
      const middle = (bbox.x0 + bbox.x1) / 2;
      const baseline = y0 + (middle - x0) * slant;
      words.push({
        text,
        x: bbox.x0,
        y: baseline - middle * slope,
        width: bbox.x1 - bbox.x0,
        // Digits are as tall as capitals, so a small one that ends above the baseline is superscript.
        height: /^\d/.test(text) && bbox.y1 < baseline - height * 0.2 ? bbox.y1 - bbox.y0 : height,
      });
    }
  }
  const mean = confidences.reduce((sum, confidence) => sum + confidence, 0) / Math.max(1, confidences.length);
  return { words, ...size, ocrConfidence: mean };
}

/** The slope of the page: the median of its long lines. */
function slopeOf(lines: readonly OcrLine[]): number {
  const slopes = lines
    .filter(({ words, baseline }) => words.length > 2 && baseline.x1 > baseline.x0)
    .map(({ baseline }) => (baseline.y1 - baseline.y0) / (baseline.x1 - baseline.x0))
    .toSorted((a, b) => a - b);
  return slopes[slopes.length >> 1] ?? 0;
}
