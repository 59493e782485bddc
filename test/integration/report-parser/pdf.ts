import { buffer } from 'node:stream/consumers';
import PdfDocument from 'pdfkit';

/** Lines of cells with their distance from the left edge, set in Helvetica. */
export type PdfLine = readonly (readonly [x: number, text: string])[];

export const glucoseReport: readonly PdfLine[] = [
  [[40, 'Example Diagnostics Laboratory']],
  [
    [40, 'Patient: DOE, JANE'],
    [300, 'DOB: 02/01/1990'],
    [450, 'Sex: F'],
  ],
  [
    [40, 'Collected: 01/02/2026'],
    [300, 'Reported: 01/03/2026'],
    [450, 'Accession #: SP-9931'],
  ],
  [
    [40, 'Test'],
    [230, 'Result'],
    [310, 'Flag'],
    [370, 'Units'],
    [450, 'Reference Range'],
  ],
  [[40, 'LIPID PANEL']],
  [
    [40, 'Cholesterol, Total'],
    [230, '212'],
    [310, 'H'],
    [370, 'mg/dL'],
    [450, '<200'],
  ],
  [
    [40, 'HDL Cholesterol'],
    [230, '55'],
    [370, 'mg/dL'],
    [450, '> OR = 40'],
  ],
  [
    [40, 'Glucose'],
    [230, '90'],
    [370, 'mg/dL'],
    [450, '70-99'],
  ],
];

/** A PDF with these pages; encrypted when a password is given. */
export async function makePdf(pages: readonly (readonly PdfLine[])[], options: { readonly password?: string } = {}): Promise<Uint8Array> {
  const document = new PdfDocument({
    size: 'LETTER',
    autoFirstPage: false,
    ...(options.password !== undefined && { userPassword: options.password }),
  });
  const whole = buffer(document);
  for (const lines of pages) {
    document.addPage().fontSize(10);
    for (const [index, line] of lines.entries())
      for (const [x, text] of line) document.text(text, x, 40 + index * 18, { lineBreak: false });
  }
  document.end();
  return new Uint8Array(await whole);
}

/** A PDF whose only content is these images, one a page. */
export async function makeScan(...images: readonly Buffer[]): Promise<Uint8Array> {
  const document = new PdfDocument({ size: 'LETTER', margin: 0, autoFirstPage: false });
  const whole = buffer(document);
  for (const image of images) document.addPage().image(image, 0, 0, { width: 612 });
  document.end();
  return new Uint8Array(await whole);
}
