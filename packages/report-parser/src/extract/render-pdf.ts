import { PDFiumLibrary } from '@hyzyla/pdfium';
import { toGreyImage } from './grey-image.ts';

export interface PageImage {
  readonly image: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Points per inch of a PDF. */
const pointsPerInch = 72;
const wantedDpi = 300;

/** Renders one page for OCR; reduces the resolution when the page would exceed `pixelsMax`. */
export async function renderPdfPage(bytes: Uint8Array, pageIndex: number, pixelsMax: number): Promise<PageImage> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    try {
      const page = document.getPage(pageIndex);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const fitting = Math.sqrt(pixelsMax / Math.max(1, originalWidth * originalHeight));
      const { data, width, height } = await page.render({ scale: Math.min(wantedDpi / pointsPerInch, fitting), render: 'bitmap' });
      return { image: toGreyImage(data, width, height), width, height };
    } finally {
      document.destroy();
    }
  } finally {
    library.destroy();
  }
}
