import { toCells, toLines } from '../layout/lines.ts';
import type { Page } from '../model/page.ts';
import { isDate } from '../values/dates.ts';
import { knownAnalyte } from '../loinc/known-analytes.ts';

const hasNumber = (text: string) => /(?:^|\s)[<>≤≥]?\d[\d.,]*%?(?:\s|$)/.test(text) && !isDate(text);
const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** How many lines begin with the name of a usual analyte, have a number behind it, and are not among the results. */
export function countUnreadRows(pages: readonly Page[], names: readonly string[]): number {
  const read = names.map(letters);
  let count = 0;
  for (const { words } of pages) {
    for (const line of toLines(words)) {
      const [first, ...rest] = toCells(line).map(({ text }) => text);
      const name = first?.replace(/\s*:$/, '') ?? '';
      if (!rest.some(hasNumber) || !knownAnalyte(name)) continue;
      if (!read.some((other) => other.includes(letters(name)))) count += 1;
    }
  }
  return count;
}
