import type { Word } from '../model/page.ts';
import type { ResultRow } from './row.ts';

/** How certain OCR is of the least certain number among a result's value and range, 0 to 100; undefined for a text layer. */
export function rowConfidence(words: readonly Word[], { value, range }: ResultRow): number | undefined {
  const isPart = (text: string) => value.includes(text) || range.includes(text) || text.includes(value);
  const rated = words.flatMap(({ text, confidence }) => (confidence !== undefined && /\d/.test(text) && isPart(text) ? [confidence] : []));
  return rated.length === 0 ? undefined : Math.min(...rated);
}
