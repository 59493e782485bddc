import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, PSM, type Page as Reading } from 'tesseract.js';
import { cutCell } from '../image/cut-cell.ts';
import { findCells, type TextCell } from '../image/find-cells.ts';
import { prepareScan } from '../image/prepare-scan.ts';
import type { Raster } from '../image/raster.ts';
import { isOrnament } from '../image/is-ornament.ts';
import { restoreText } from '../image/restore-text.ts';
import type { Page, Word } from '../model/page.ts';
import { ParseFailure } from './failure.ts';
import { toGreyImage } from './grey-image.ts';

/** Recognises the words of scanned pages. One worker at a time; about six seconds of a processor a page. */
export interface Ocr {
  read(scan: Raster): Promise<Page>;
  close(): Promise<void>;
}

/** Words below this confidence without a letter, a digit or a comparison are noise, such as specks and lines. */
const confidenceMin = 20;
const isReadable = (text: string) => /[a-z0-9<>%]/i.test(text);
/** A page of a report has up to 400; each takes about 30 ms. */
const cellsMax = 1500;
/** Capitals are this share of the size of a font. */
const capitals = 0.7;

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
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_LINE, preserve_interword_spaces: '1' });
  return {
    read: async (scan) => {
      const { page, dpi } = prepareScan(scan);
      const words: RatedWord[] = [];
      const cells = findCells(page, dpi);
      if (cells.length > cellsMax) throw new ParseFailure('low_quality', 'A page is too noisy to be read');
      for (const cell of cells) {
        const { image, left, top } = cutCell(page, cell);
        const { data: reading } = await worker.recognize(toGreyImage(image), {}, { blocks: true });
        words.push(...wordsOf(reading, page, cell, { left, top }));
      }
      const mean = words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length);
      return { words: words.map(({ word }) => word), width: page.width, height: page.height, ocrConfidence: mean };
    },
    close: async () => void (await worker.terminate()),
  };
}

interface RatedWord {
  readonly word: Word;
  readonly confidence: number;
}

/** The words of a cell, placed on the page. */
function wordsOf(
  reading: Reading,
  page: Raster,
  cell: TextCell,
  corner: { readonly left: number; readonly top: number },
): readonly RatedWord[] {
  const lines = (reading.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines
    .flatMap((line) => line.words)
    .filter(({ text, confidence }) => text.trim() !== '' && (confidence >= confidenceMin || isReadable(text)))
    .filter(({ text, bbox }) => !isOrnament({ text, left: bbox.x0 + corner.left, right: bbox.x1 + corner.left }, cell))
    .map(({ text, bbox, confidence }) => {
      const size = cell.height / capitals;
      const bottom = bbox.y1 + corner.top;
      // Digits are as tall as capitals, so a small one that ends above the baseline is superscript.
      const isRaised = /^\d/.test(text) && bottom < cell.baseline - size * 0.2;
      const place = { left: bbox.x0 + corner.left, right: bbox.x1 + corner.left };
      const restored = restoreText({ text, ...place }, page, cell);
      const word = {
        text: restored,
        x: bbox.x0 + corner.left,
        y: cell.baseline,
        width: bbox.x1 - bbox.x0,
        height: isRaised ? bbox.y1 - bbox.y0 : size,
      };
      return { word, confidence };
    });
}
