import { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib';
import type { Requisition } from '@pulsewire/labs';
import { barCode } from './layout/bar-code.ts';
import { drawable, wrap } from './layout/text.ts';

/** 2.25 by 1.25 inches, a common label size. */
const [width, height] = [162, 90];
const inset = 8;

/** Labels for the tubes of a sample, one per page. */
export async function labelsDocument(
  { view: { order, secrets, test }, createdAt }: Requisition,
  label: { readonly collectedOn: string; readonly copies: number; readonly isSimulated: boolean },
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle('Specimen labels');
  document.setCreationDate(createdAt);
  document.setModificationDate(createdAt);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const known = new Set(font.getCharacterSet());
  const said = (key: string) => (typeof secrets.patient?.[key] === 'string' ? secrets.patient[key] : '');
  const sampleId = order.sampleId ?? '';
  const lines = [
    `${said('last_name')}, ${said('first_name')}`,
    `DOB: ${said('dob')}  Collected: ${label.collectedOn}`,
    `${test.lab.name}  ${test.sampleType.replaceAll('_', ' ')}`,
    label.isSimulated ? `${sampleId}  SIMULATED` : sampleId,
  ].map((text) => wrap(drawable(text, known), font, 7.5, width - 2 * inset)[0] ?? '');
  const { bars, width: units } = barCode(sampleId);
  const unit = Math.min(1, (width - 2 * inset) / units);
  for (let copy = 0; copy < label.copies; copy++) {
    const page = document.addPage([width, height]);
    for (const [at, text] of lines.entries()) page.drawText(text, { x: inset, y: height - 14 - at * 10, size: 7.5, font });
    for (const bar of bars)
      page.drawRectangle({ x: inset + bar.x * unit, y: inset, width: bar.width * unit, height: 28, color: rgb(0, 0, 0) });
  }
  return document.save();
}
