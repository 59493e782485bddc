import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import type { FileType } from './sniff.ts';

/** Degrees by which an image with this EXIF orientation must be turned clockwise. */
const turns: Readonly<Record<number, number>> = { 3: 180, 6: 90, 8: 270 };

/** A PDF with the image as its only page, one point a pixel, so that one renderer decodes all kinds of scans. */
export async function imagePdf(file: Uint8Array, type: FileType, orientation = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const image = type === 'image/png' ? await document.embedPng(file) : await document.embedJpg(file);
  const page = document.addPage([image.width, image.height]);
  page.setRotation(degrees(turns[orientation] ?? 0));
  page.drawImage(image, { x: 0, y: 0, width: image.width, height: image.height });
  return document.save();
}
