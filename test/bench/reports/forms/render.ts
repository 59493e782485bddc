import { PDFiumLibrary } from '@hyzyla/pdfium';

/** A page as grey values, one byte a pixel. */
export interface Picture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The pages of a PDF as images. */
export async function renderPages(pdf: Uint8Array, dpi: number): Promise<Picture[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  try {
    const pictures: Picture[] = [];
    for (const page of document.pages()) {
      const { data, width, height } = await page.render({ scale: dpi / 72, colorSpace: 'Gray', render: async (bitmap) => bitmap.data });
      pictures.push({ pixels: Uint8Array.from(data.subarray(0, width * height)), width, height });
    }
    return pictures;
  } finally {
    document.destroy();
    library.destroy();
  }
}
