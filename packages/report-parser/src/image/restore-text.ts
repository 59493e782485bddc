import type { TextCell } from './find-cells.ts';
import type { Raster } from './raster.ts';
import { restoreComma, restoreMicro } from './restore-letters.ts';
import { restoreSigns, type ReadWord } from './restore-signs.ts';

/** Usual words of laboratories whose digits and letters OCR confuses. */
const words: Readonly<Record<string, string>> = { Alc: 'A1c', HbAlc: 'HbA1c', HgbAlc: 'HgbA1c', C02: 'CO2' };

/** A word as printed: what OCR read, corrected by the ink of its cell. */
export function restoreText(read: ReadWord, page: Raster, cell: TextCell): string {
  const text = words[read.text] ?? read.text;
  return restoreComma({ ...read, text: restoreMicro({ ...read, text: restoreSigns({ ...read, text }, cell) }, page, cell) }, cell);
}
