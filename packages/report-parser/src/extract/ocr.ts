import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, PSM } from 'tesseract.js';
import type { Raster } from '../image/raster.ts';
import type { Page } from '../model/page.ts';
import { toGreyImage } from './grey-image.ts';
import { readPage } from './read-page.ts';

/** Recognises the words of scanned pages. One worker at a time; about six seconds of a processor a page. */
export interface Ocr {
  read(scan: Raster): Promise<Page>;
  close(): Promise<void>;
}

/** Characters of numbers. */
const numeric = '0123456789.<>=-()';
const modes = {
  line: { tessedit_pageseg_mode: PSM.SINGLE_LINE, tessedit_char_whitelist: '' },
  number: { tessedit_pageseg_mode: PSM.SINGLE_LINE, tessedit_char_whitelist: numeric },
  word: { tessedit_pageseg_mode: PSM.SINGLE_WORD, tessedit_char_whitelist: '' },
};

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
  // Lines of low confidence are not read again as white on black.
  await worker.setParameters({ preserve_interword_spaces: '1', tessedit_do_invert: '0' });
  let current: keyof typeof modes | undefined;
  return {
    read: (scan) =>
      readPage(scan, async (image, mode) => {
        if (mode !== current) await worker.setParameters(modes[mode]);
        current = mode;
        return (await worker.recognize(toGreyImage(image), {}, { text: false, blocks: true })).data;
      }),
    close: async () => void (await worker.terminate()),
  };
}
