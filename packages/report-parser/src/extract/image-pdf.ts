import { PDFDocument } from '@cantoo/pdf-lib';
import type { FileType } from './sniff.ts';

/** A PDF with the image as its only page, one point a pixel, so that one renderer decodes all kinds of scans. */
export async function imagePdf(file: Uint8Array, type: FileType): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const image = type === 'image/png' ? await document.embedPng(file) : await document.embedJpg(file);
  document.addPage([image.width, image.height]).drawImage(image, { x: 0, y: 0, width: image.width, height: image.height });
  return document.save();
}
