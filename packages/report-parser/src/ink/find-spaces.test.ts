import { expect, test } from 'vitest';
import type { TextCell } from '../image/find-cells.ts';
import type { Mark } from '../image/find-marks.ts';
import { cutCell } from './cut-cell.ts';
import { findPossibleSpaces, findSpaces, usualGap } from './find-spaces.ts';
import { joinWords } from './join-words.ts';
import { splitCell } from './split-cell.ts';

const [height, baseline] = [30, 100];
/** A cell of marks with the given widths, 30 pixels high, each followed by the given gap. */
function cellOf(...marks: readonly (readonly [width: number, gap: number])[]): TextCell {
  let left = 10;
  const placed = marks.map(([width, gap]): Mark => {
    const mark = { left, right: left + width - 1, top: baseline - height + 1, bottom: baseline, area: width * height };
    left += width + gap;
    return mark;
  });
  return { marks: placed, left: 10, right: placed.at(-1)?.right ?? 10, top: baseline - height + 1, bottom: baseline, height, baseline };
}
const letters = cellOf([20, 3], [20, 12], [20, 3], [20, 0]);
const usual = usualGap([letters]);

test('a space is a gap wider than those between characters', () => {
  expect(usual).toBeCloseTo(0.1);
  expect(findSpaces(letters, usual)).toEqual([{ left: 53, right: 64 }]);
});

test('the blank columns beside a digit 1 are no space', () => {
  expect(findSpaces(cellOf([11, 13], [11, 3], [20, 0]), usual)).toEqual([]);
  expect(findSpaces(cellOf([20, 13], [20, 3], [20, 0]), usual)).toHaveLength(1);
});

test('the wide gaps of a typewriter are no spaces', () => {
  const typed = cellOf([20, 8], [20, 18], [4, 18], [20, 30], [20, 8], [20, 0]);
  expect(findSpaces(typed, usualGap([typed, cellOf([20, 8], [20, 8], [20, 8], [20, 0])]))).toEqual([{ left: 118, right: 147 }]);
});

test('a font that is only set wide has spaces like others', () => {
  const wide = cellOf([30, 6], [30, 6], [6, 6], [6, 18], [30, 6], [30, 0]);
  expect(findSpaces(wide, usualGap([wide]))).toEqual([{ left: 100, right: 117 }]);
});

test('spaces are widened for the engine, and its positions are mapped back to the page', () => {
  const page = { pixels: new Uint8Array(200 * 120).fill(255), width: 200, height: 120 };
  for (const { left, right } of letters.marks) for (let y = 71; y <= 100; y++) page.pixels.fill(0, y * 200 + left, y * 200 + right + 1);
  const { image, toPage } = cutCell(page, letters, findSpaces(letters, usual));
  const row = image.pixels.subarray(20 * image.width, 21 * image.width);
  const starts = [...row.keys()].filter((x) => row[x] === 0 && row[x - 1] !== 0);
  expect(starts.map(toPage)).toEqual(letters.marks.map(({ left }) => left));
  expect((starts[2] ?? 0) - (starts[1] ?? 0)).toBeGreaterThan(20 + 12 + 5);
});

test('a cell is split at its spaces into words on its baseline', () => {
  const parts = splitCell(letters, findSpaces(letters, usual));
  expect(parts.map(({ left, right, baseline: line }) => [left, right, line])).toEqual([
    [10, 52, 100],
    [65, 107, 100],
  ]);
});

test('words are joined where the ink has no space, and stay apart where it has one or one is raised', () => {
  const word = (text: string, left: number, right: number, bottom = baseline) => ({ text, left, right, top: 71, bottom, confidence: 90 });
  const join = (...words: Parameters<typeof joinWords>[0]) =>
    joinWords(words, letters, findPossibleSpaces(letters, usual)).map(({ text }) => text);
  expect(join(word('A', 10, 29), word('B', 33, 52))).toEqual(['AB']);
  expect(join(word('AB', 10, 52), word('CD', 65, 107))).toEqual(['AB', 'CD']);
  expect(join(word('A', 10, 29), word('1', 33, 40, 85))).toEqual(['A', '1']);
});
