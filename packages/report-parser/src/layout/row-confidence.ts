import type { Word } from '../model/page.ts';
import type { ResultRow } from './row.ts';

/** How certain OCR is of the least certain number among a result's value and range, 0 to 100; undefined for a text layer. */
export function rowConfidence(words: readonly Word[], { value, range }: ResultRow): number | undefined {
  const isPart = (text: string) => value.includes(text) || range.includes(text) || text.includes(value);
  const rated = words.flatMap(({ text, confidence }) => (confidence !== undefined && /\d/.test(text) && isPart(text) ? [confidence] : []));
  return rated.length === 0 ? undefined : Math.min(...rated);
}

/** How certain OCR is of the least certain word of a result's name; undefined for a text layer. */
export function nameConfidence(words: readonly Word[], { name }: ResultRow): number | undefined {
  const rated = words.flatMap(({ text, confidence }) =>
    confidence !== undefined && /[a-z]{2}/i.test(text) && name.includes(text) ? [confidence] : [],
  );
  return rated.length === 0 ? undefined : Math.min(...rated);
}
