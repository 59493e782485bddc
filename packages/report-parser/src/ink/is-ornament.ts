import type { TextCell } from '../image/find-cells.ts';
import type { ReadWord } from './restore-signs.ts';

/**
 * Whether a word is a row of asterisks or similar around a title, whatever OCR reads: all its ink is raised. A single asterisk is a flag.
 */
export function isOrnament({ text, left, right }: ReadWord, { marks, height, baseline }: TextCell): boolean {
  if (/^[\d–—-]+$/.test(text)) return false;
  // Smaller marks are grain between the asterisks.
  const tall = marks.filter(({ top, bottom }) => bottom - top > height * 0.2);
  const raised = tall.filter(({ bottom }) => bottom < baseline - height * 0.2);
  const isInside = (mark: { left: number; right: number }) =>
    mark.left + mark.right >= 2 * left - 4 && mark.left + mark.right <= 2 * right + 4;
  const inside = tall.filter(isInside);
  const near = raised.filter((mark) => mark.right > left - height * 1.2 && mark.left < right + height * 1.2);
  return inside.length > 0 && inside.every((mark) => raised.includes(mark)) && near.length > 1;
}

/** Whether the text of a whole cell is a row of asterisks, some of which OCR reads as letters. */
export const isRowOfAsterisks = (text: string): boolean => /^[*kx]{2,}$/i.test(text) && text.includes('*');
