import type { Page, Word } from '../model/page.ts';

/** Signs of one meaning that fonts draw alike: minus, hyphens and the dash of digits become a hyphen. */
const hyphens = /[\u2010-\u2012\u2212\uFE63\uFF0D]/g;

/** A text of numbers, comparators and brackets only, so that a comma or point in it is a sign of a number. */
const numeric = /^[<>≤≥=([*-]{0,3}\d[\d.,]*(?:[-–—]\d[\d.,]*)?[)\]*%;]?$/;
/** A comma that cannot separate thousands: `0,9`, `14,2`, `6,73`. */
const decimalComma = /(?<![\d.,])(?:0,\d+|\d+,\d{1,2})(?![\d,])/;
const decimalPoint = /(?<![\d.,])(?:0\.\d+|\d+\.\d{1,2})(?![\d.,])/;
const thousands = /(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.])/g;
/** One sign is the report's if it is this many times as frequent as the other. */
const muchMore = 3;

/** How a report prints decimals; `mixed`: both ways, so that its commas are ambiguous. */
export type DecimalSign = 'point' | 'comma' | 'mixed';

/** Decides once for a whole report, because `4,100` alone may be 4.1 or 4100. */
export function decimalSignOf(pages: readonly Page[]): DecimalSign {
  let [commas, points] = [0, 0];
  for (const { words } of pages) {
    for (const { text } of words) {
      if (!numeric.test(text)) continue;
      if (decimalComma.test(text)) commas += 1;
      else if (decimalPoint.test(text)) points += 1;
    }
  }
  if (commas === 0 || points > commas * muchMore) return 'point';
  return commas > points * muchMore ? 'comma' : 'mixed';
}

function withPoint(text: string): string {
  if (!numeric.test(text)) return text;
  return text.replaceAll(thousands, (number) => number.replaceAll('.', '')).replaceAll(/(?<=\d),(?=\d)/g, '.');
}

/** The pages with one kind of hyphen and with decimal points. */
export function normaliseNumbers(pages: readonly Page[], sign: DecimalSign): readonly Page[] {
  const plain = (word: Word): Word => {
    const text = word.text.replaceAll(hyphens, '-');
    const read = sign === 'comma' ? withPoint(text) : text;
    return read === word.text ? word : { ...word, text: read };
  };
  return pages.map((page) => ({ ...page, words: page.words.map(plain) }));
}
