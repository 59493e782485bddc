import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, PSM } from 'tesseract.js';
import { cutCell } from '../image/cut-cell.ts';
import { findCells, type TextCell } from '../image/find-cells.ts';
import { findSpaces, usualGap } from '../image/find-spaces.ts';
import { prepareScan } from '../image/prepare-scan.ts';
import type { Raster } from '../image/raster.ts';
import type { Page } from '../model/page.ts';
import { cellWords, type RatedWord } from './cell-words.ts';
import { doubtfulNumbers, isSupported } from './doubtful-numbers.ts';
import { ParseFailure } from './failure.ts';
import { toGreyImage } from './grey-image.ts';

/** Recognises the words of scanned pages. One worker at a time; about six seconds of a processor a page. */
export interface Ocr {
  read(scan: Raster): Promise<Page>;
  close(): Promise<void>;
}

/** A page of a report has up to 400; each takes about 30 ms. */
const cellsMax = 1500;
/** Characters of numbers, for the second reading of a column of numbers. */
const numeric = '0123456789.<>=-';
/** A second reading below this confidence is no better than the first. */
const confidenceMin = 50;

const textOf = (words: readonly RatedWord[]) => words.map(({ word }) => word.text).join(' ');
const confidenceOf = (words: readonly RatedWord[]) =>
  words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length);

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
  // Lines with little confidence are not read again as white on black.
  const settings = { tessedit_pageseg_mode: PSM.SINGLE_LINE, preserve_interword_spaces: '1', tessedit_do_invert: '0' };
  await worker.setParameters(settings);
  return {
    read: async (scan) => {
      const { page, dpi } = prepareScan(scan);
      const found = findCells(page, dpi);
      if (found.length > cellsMax) throw new ParseFailure('low_quality', 'A page is too noisy to be read');
      const usual = usualGap(found);
      const readCell = async (cell: TextCell): Promise<readonly RatedWord[]> => {
        const spaces = findSpaces(cell, usual);
        const cut = cutCell(page, cell, spaces);
        const { data: reading } = await worker.recognize(toGreyImage(cut.image), {}, { text: false, blocks: true });
        return cellWords(reading, page, cell, cut, spaces);
      };
      const read: { readonly cell: TextCell; readonly text: string; words: readonly RatedWord[] }[] = [];
      for (const cell of found) {
        const words = await readCell(cell);
        read.push({ cell, text: textOf(words), words });
      }
      const doubtful = doubtfulNumbers(read);
      if (doubtful.length > 0) {
        await worker.setParameters({ tessedit_char_whitelist: numeric });
        for (const one of doubtful) {
          const words = await readCell(one.cell);
          if (isSupported(textOf(words), one.cell) && confidenceOf(words) >= confidenceMin) one.words = words;
        }
        await worker.setParameters({ tessedit_char_whitelist: '' });
      }
      const words = read.flatMap((one) => one.words);
      return { words: words.map(({ word }) => word), width: page.width, height: page.height, ocrConfidence: confidenceOf(words) };
    },
    close: async () => void (await worker.terminate()),
  };
}
