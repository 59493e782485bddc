import { imageSize } from 'image-size';
import { getDocumentProxy } from 'unpdf';
import type { Page } from '../model/page.ts';
import { ReportParseError } from './failure.ts';
import { inParallel, oneAtATime } from './in-parallel.ts';
import type { ParseLimits } from './limits.ts';
import { startOcr, type Ocr } from './ocr.ts';
import { toTextPage, type TextItem } from './pdf-text.ts';
import { renderPdfPage } from './render-pdf.ts';
import { sniffFileType } from './sniff.ts';

/** A page whose text layer has fewer letters is a scan. */
const lettersOfText = 30;

/** Scans that are prepared and read at the same time. */
const scansAtOnce = 2;

interface Work {
  readonly limits: ParseLimits;
  readonly ocr: () => Promise<Ocr>;
  readonly onScans: (count: number) => void;
  /** Decodes one picture at a time, because a large one takes much memory. */
  readonly decode: ReturnType<typeof oneAtATime>;
}

/**
 * The words of all pages: from the text layer if there is one, by OCR if a page is an image. `onScans` receives the number of pages that are
 * scans before the first is read. Throws ReportParseError.
 */
export async function extractPages(
  files: readonly Uint8Array[],
  limits: ParseLimits,
  onScans: (count: number) => void = () => {},
): Promise<readonly Page[]> {
  let started: Promise<Ocr> | undefined;
  const work: Work = { limits, ocr: () => (started ??= startOcr(limits.ocrThreads)), onScans, decode: oneAtATime() };
  const [first] = files;
  try {
    if (first && files.length === 1 && sniffFileType(first) === 'application/pdf') return await readPdf(first, work);
    checkPages('report', files.length, limits);
    onScans(files.length);
    return await inParallel(files, scansAtOnce, (file) => readImage(file, work));
  } finally {
    await (await started)?.close();
  }
}

function checkPages(what: string, count: number, { pagesMax }: ParseLimits): void {
  if (count > pagesMax) throw new ReportParseError('too_many_pages', `The ${what} has ${count} pages; the maximum is ${pagesMax}`);
}

async function readPdf(file: Uint8Array, { limits, ocr, onScans, decode }: Work): Promise<readonly Page[]> {
  // pdf.js takes ownership of the array and accepts no Buffer; the renderer needs a copy of its own.
  const document = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 }).catch((error: unknown) => {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    throw new ReportParseError('invalid_input', isEncrypted ? 'The PDF is encrypted' : 'The PDF cannot be read');
  });
  try {
    checkPages('PDF', document.numPages, limits);
    const texts = (await readTexts(document)).map((page) => page && bounded(page, limits));
    onScans(texts.filter((page) => page === undefined).length);
    return await inParallel(
      texts,
      scansAtOnce,
      async (page, index) =>
        page ?? bounded(await (await ocr()).read(await decode(() => renderPdfPage(file, index, limits.pixelsMax))), limits),
    );
  } finally {
    await document.cleanup();
  }
}

/** The pages that have a text layer; undefined for scans. */
async function readTexts(document: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<readonly (Page | undefined)[]> {
  try {
    const texts: (Page | undefined)[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
      const words = (await page.getTextContent()).items.filter((item): item is typeof item & TextItem => 'str' in item);
      const letters = words.reduce((sum, { str }) => sum + str.replaceAll(/[^a-z]/gi, '').length, 0);
      texts.push(letters >= lettersOfText ? toTextPage(words, { width: right - left, height: top - bottom }) : undefined);
    }
    return texts;
  } catch {
    throw new ReportParseError('invalid_input', 'A page of the PDF is damaged');
  }
}

async function readImage(file: Uint8Array, { limits, ocr, decode }: Work): Promise<Page> {
  let size: ReturnType<typeof imageSize>;
  try {
    size = imageSize(file);
  } catch {
    throw new ReportParseError('invalid_input', 'The image cannot be read');
  }
  if (size.width * size.height > limits.pixelsMax)
    throw new ReportParseError('invalid_input', `The image has more than ${limits.pixelsMax} pixels`);
  const type = sniffFileType(file);
  if (type === undefined) throw new ReportParseError('invalid_input', 'The image cannot be read');
  const { imagePdf } = await import('./image-pdf.ts');
  const scan = await decode(async () => {
    const pdf = await imagePdf(file, type, size.orientation).catch(() => {
      throw new ReportParseError('invalid_input', 'The image is damaged');
    });
    return renderPdfPage(pdf, 0, limits.pixelsMax);
  });
  return bounded(await (await ocr()).read(scan), limits);
}

function bounded(page: Page, limits: ParseLimits): Page {
  if (page.words.length > limits.wordsMax) throw new ReportParseError('invalid_input', `A page has more than ${limits.wordsMax} words`);
  return page;
}
