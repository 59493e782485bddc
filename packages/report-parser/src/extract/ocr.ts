import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, PSM } from 'tesseract.js';
import type { Raster } from '../image/raster.ts';
import type { Page } from '../model/page.ts';
import { toGreyImage } from './grey-image.ts';
import { readPage, type Mode, type Recognise } from './read-page.ts';

/** Recognises the words of scanned pages; four to five seconds of a processor a page, of which its threads share most. */
export interface Ocr {
  read(scan: Raster): Promise<Page>;
  close(): Promise<void>;
}

interface Engine {
  readonly recognise: Recognise;
  readonly close: () => Promise<void>;
  /** Cells that it has not read yet. */
  load: number;
}

/** Characters of numbers. */
const numeric = '0123456789.<>=-()';
const modes = {
  line: { tessedit_pageseg_mode: PSM.SINGLE_LINE, tessedit_char_whitelist: '' },
  number: { tessedit_pageseg_mode: PSM.SINGLE_LINE, tessedit_char_whitelist: numeric },
  word: { tessedit_pageseg_mode: PSM.SINGLE_WORD, tessedit_char_whitelist: '' },
} satisfies Record<Mode, object>;

/** Starts one engine, a thread of its own, with the bundled English model; nothing is loaded from the network. */
async function startEngine(): Promise<Engine> {
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
  let current: Mode | undefined;
  return {
    load: 0,
    // The engine works through its messages in order, so a mode applies to the images sent after it.
    recognise: async (image, mode) => {
      const isSet = mode === current ? undefined : worker.setParameters(modes[mode]);
      current = mode;
      const [{ data: reading }] = await Promise.all([worker.recognize(toGreyImage(image), {}, { text: false, blocks: true }), isSet]);
      return reading;
    },
    close: async () => void (await worker.terminate()),
  };
}

/** Starts `threads` engines. Each cell goes to the one with the fewest, so that none is idle while the next page is prepared. */
export async function startOcr(threads: number): Promise<Ocr> {
  const engines = await Promise.all(Array.from({ length: threads }, startEngine));
  const recognise: Recognise = async (image, mode) => {
    const engine = engines.reduce((best, one) => (one.load < best.load ? one : best));
    engine.load += 1;
    try {
      return await engine.recognise(image, mode);
    } finally {
      engine.load -= 1;
    }
  };
  return {
    read: (scan) => readPage(scan, recognise),
    close: async () => void (await Promise.all(engines.map(({ close }) => close()))),
  };
}
