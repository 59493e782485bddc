import type { TextCell } from '../image/find-cells.ts';
import type { Raster } from '../image/raster.ts';
import { restoreComma, restoreInternational, restoreMicro } from './restore-letters.ts';
import { restoreSigns, type ReadWord } from './restore-signs.ts';

/** Usual words of laboratories whose digits and letters OCR confuses. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^((?:H[bg]{1,2})?A)l(?=c$)/i, '$11'],
  [/^C02$/, 'CO2'],
  [/^(?:»>?|>>)(?==?\d)/, '>'],
  [/^(?:«<?|<<)(?==?\d)/, '<'],
  [/^(\(?\d{1,2}-)0H(?=\W*$)/, '$1OH'],
];

/** A word as printed: what OCR read, corrected by the ink of its cell. */
export function restoreText(read: ReadWord, page: Raster, cell: TextCell): string {
  const steps = [restoreSigns, (word: ReadWord) => restoreMicro(word, page, cell), restoreInternational, restoreComma];
  return steps.reduce(
    (text, step) => step({ ...read, text }, cell),
    words.reduce((text, [pattern, right]) => text.replace(pattern, right), read.text),
  );
}
