import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import type { Raster } from '../image/raster.ts';

/** Points per inch of a PDF. */
const pointsPerInch = 72;
/** Resolution of pages that are not scans. */
const usualScale = 300 / pointsPerInch;
/** Pages with more pictures are not scans. */
const objectsMax = 100;

/**
 * Renders one page in grey, a scan in its own resolution: dust is easier to remove before it is enlarged. Reduces pages of more than
 * `pixelsMax`.
 */
export async function renderPdfPage(bytes: Uint8Array, pageIndex: number, pixelsMax: number): Promise<Raster> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    try {
      const page = document.getPage(pageIndex);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const fitting = Math.sqrt(pixelsMax / Math.max(1, originalWidth * originalHeight));
      const wanted = (await scaleOfScan(page, Math.max(originalWidth, originalHeight))) ?? usualScale;
      const { data, width, height } = await page.render({ scale: Math.min(wanted, fitting), render: 'bitmap', colorSpace: 'Gray' });
      return { pixels: data.subarray(0, width * height), width, height };
    } finally {
      document.destroy();
    }
  } finally {
    library.destroy();
  }
}

/** A smaller image, in pixels, is a logo. */
const scanMin = 500;

/**
 * Pixels per point of the largest image, along the longer sides of image and page, because a page may be turned; undefined when it is not a
 * scan.
 */
async function scaleOfScan(page: PDFiumPage, pageSide: number): Promise<number | undefined> {
  let longest = 0;
  for (let index = 0; index < Math.min(page.getObjectCount(), objectsMax); index++) {
    const object = page.getObject(index);
    if (object.type !== 'image') continue;
    // An image without data is no scan, and the page may have others.
    const size = await object.getImageDataRaw().catch(() => undefined);
    longest = Math.max(longest, size?.width ?? 0, size?.height ?? 0);
  }
  return longest >= scanMin ? longest / Math.max(1, pageSide) : undefined;
}
