import { imageSize } from 'image-size';
import { extractTextItems, getDocumentProxy } from 'unpdf';
import type { Page } from '../model/page.ts';
import { ParseFailure } from './failure.ts';
import type { ParseLimits } from './limits.ts';
import { startOcr, type Ocr } from './ocr.ts';
import { toTextPage } from './pdf-text.ts';
import { renderPdfPage } from './render-pdf.ts';
import { sniffFileType } from './sniff.ts';

/** A page whose text layer has fewer letters is a scan. */
const lettersOfText = 30;

/** The words of all pages: from the text layer if there is one, by OCR if a page is an image. Throws ParseFailure. */
export async function extractPages(files: readonly Uint8Array[], limits: ParseLimits): Promise<readonly Page[]> {
  let started: Promise<Ocr> | undefined;
  const ocr = () => (started ??= startOcr());
  try {
    const pages: Page[] = [];
    for (const file of files) {
      const extracted = sniffFileType(file) === 'application/pdf' ? await readPdf(file, limits, ocr) : [await readImage(file, limits, ocr)];
      pages.push(...extracted);
      if (pages.length > limits.pagesMax) throw new ParseFailure('too_many_pages', `The report has more than ${limits.pagesMax} pages`);
    }
    return pages;
  } finally {
    await (await started)?.close();
  }
}

async function readPdf(file: Uint8Array, limits: ParseLimits, ocr: () => Promise<Ocr>): Promise<readonly Page[]> {
  // pdf.js takes ownership of the array and accepts no Buffer; the renderer needs a copy of its own.
  const document = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 }).catch((error: unknown) => {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    throw new ParseFailure('invalid_input', isEncrypted ? 'The PDF is encrypted' : 'The PDF cannot be read');
  });
  try {
    if (document.numPages > limits.pagesMax) throw new ParseFailure('too_many_pages', `The PDF has more than ${limits.pagesMax} pages`);
    const { items } = await extractTextItems(document);
    const pages: Page[] = [];
    for (const [index, texts] of items.entries()) {
      const page = await document.getPage(index + 1);
      const { width, height } = page.getViewport({ scale: 1 });
      const letters = texts.reduce((sum, { str }) => sum + str.replaceAll(/[^a-z]/gi, '').length, 0);
      if (letters >= lettersOfText) pages.push(bounded(toTextPage(texts, { width, height }), limits));
      else {
        pages.push(bounded(await (await ocr()).read(await renderPdfPage(file, index, limits.pixelsMax)), limits));
      }
    }
    return pages;
  } finally {
    await document.cleanup();
  }
}

async function readImage(file: Uint8Array, limits: ParseLimits, ocr: () => Promise<Ocr>): Promise<Page> {
  let size: ReturnType<typeof imageSize>;
  try {
    size = imageSize(file);
  } catch {
    throw new ParseFailure('invalid_input', 'The image cannot be read');
  }
  if (size.width * size.height > limits.pixelsMax)
    throw new ParseFailure('invalid_input', `The image has more than ${limits.pixelsMax} pixels`);
  const type = sniffFileType(file);
  if (type === undefined) throw new ParseFailure('invalid_input', 'The image cannot be read');
  const { imagePdf } = await import('./image-pdf.ts');
  const pdf = await imagePdf(file, type, size.orientation);
  return bounded(await (await ocr()).read(await renderPdfPage(pdf, 0, limits.pixelsMax)), limits);
}

function bounded(page: Page, limits: ParseLimits): Page {
  if (page.words.length > limits.wordsMax) throw new ParseFailure('invalid_input', `A page has more than ${limits.wordsMax} words`);
  return page;
}
