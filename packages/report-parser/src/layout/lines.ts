import type { Word } from '../model/page.ts';

/** Words on one baseline, from left to right. */
export interface Line {
  readonly y: number;
  /** Height of the font: the median of its words. */
  readonly height: number;
  readonly words: readonly Word[];
}

/** Neighbouring words without a wide gap between them. */
export interface Cell {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly words: readonly Word[];
}

/** A gap wider than this many font heights separates two cells; a space between words is about a third. */
const gapOfCells = 0.85;
/** A comma ends no cell, and a scan shows only its ink, without the blank part of its width. */
const gapAfterComma = 1.4;
/** Words this close together are one word that the file draws in parts. */
const gapInsideWord = 0.12;

/** Words smaller than this share of the font are superscript or subscript; raised ones by this share of its height may be larger. */
const smallFont = 0.75;
const [raised, raisedFont] = [0.2, 0.95];

export const rightOf = (word: Word): number => word.x + word.width;

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** Groups words into lines, top to bottom. */
export function toLines(words: readonly Word[]): readonly Line[] {
  const lines: { y: number; words: Word[] }[] = [];
  for (const word of words.toSorted((a, b) => a.y - b.y)) {
    const last = lines.at(-1);
    if (last && word.y - last.y < Math.max(word.height, last.words[0]?.height ?? 0) * 0.5) {
      last.words.push(word);
      last.y += (word.y - last.y) / last.words.length;
    } else lines.push({ y: word.y, words: [word] });
  }
  return lines.map((line) => {
    const height = median(line.words.map((word) => word.height));
    const sorted = line.words.toSorted((a, b) => a.x - b.x);
    return { y: line.y, height, words: sorted.filter((word, index) => !isFootnoteMark(word, sorted[index - 1], height)) };
  });
}

/** Whether a word is a footnote mark: small, or smaller and raised, and directly after another word. */
function isFootnoteMark(word: Word, before: Word | undefined, height: number): boolean {
  const isRaised = before !== undefined && word.y < before.y - height * raised && word.height < height * raisedFont;
  const isSmall = (word.height < height * smallFont || isRaised) && /^(?:\d{1,2}|[a-z]|[*†‡]+)$/i.test(word.text);
  // The exponent of a unit is raised too.
  return isSmall && before !== undefined && !/(?:^|[x×*])10$/.test(before.text) && word.x - rightOf(before) < height * gapOfCells;
}

export function toCell(words: readonly Word[]): Cell {
  let text = '';
  let end: number | undefined;
  for (const word of words) {
    const isJoined = end === undefined || word.x - end < word.height * gapInsideWord;
    text += isJoined ? word.text : ` ${word.text}`;
    end = rightOf(word);
  }
  return { text, x: words[0]?.x ?? 0, right: end ?? 0, words };
}

/** Splits a line at its wide gaps. */
export function toCells(line: Line): readonly Cell[] {
  const groups: Word[][] = [];
  for (const word of line.words) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const gapMax = before?.text.endsWith(',') ? gapAfterComma : gapOfCells;
    if (group && before && word.x - rightOf(before) < line.height * gapMax) group.push(word);
    else groups.push([word]);
  }
  return groups.map(toCell);
}
