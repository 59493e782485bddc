import { describe, expect, test } from 'vitest';
import { findCells } from './find-cells.ts';
import { findMarks } from './find-marks.ts';
import { findSkew } from './find-skew.ts';
import { levelPaper } from './level-paper.ts';
import type { Raster } from './raster.ts';
import { removeRules } from './remove-rules.ts';
import { removeSpecks } from './remove-specks.ts';
import { straighten } from './straighten.ts';

type Box = readonly [left: number, top: number, width: number, height: number];

/** Grey paper with black boxes. */
function draw(width: number, height: number, boxes: readonly Box[], paper = 255): Raster {
  const pixels = new Uint8Array(width * height).fill(paper);
  for (const [left, top, wide, high] of boxes)
    for (let y = top; y < top + high; y++) pixels.fill(0, y * width + left, y * width + left + wide);
  return { pixels, width, height };
}
const darkest = ({ pixels }: Raster) => pixels.reduce((least, value) => Math.min(least, value), 255);
/** A line of characters, 30 pixels high and 10 apart. */
const characters = (count: number, left: number, top: number): readonly Box[] =>
  Array.from({ length: count }, (_, index): Box => [left + index * 30, top, 20, 30]);

test('dust of one pixel is removed, and a full stop of four stays', () => {
  expect(darkest(removeSpecks(draw(20, 20, [[9, 9, 1, 1]])))).toBe(255);
  expect(darkest(removeSpecks(draw(20, 20, [[9, 9, 2, 2]])))).toBe(0);
  expect(darkest(removeSpecks(draw(20, 20, [[9, 9, 1, 2]])))).toBe(0);
});

test('tinted paper becomes white and ink stays dark', () => {
  const { pixels } = levelPaper(draw(128, 128, [[10, 10, 20, 20]], 190));
  expect(new Set(pixels)).toEqual(new Set([0, 255]));
});

test.each([-2, 0.6, 2.4])('a page turned by %s degrees is made level', (degrees) => {
  const boxes = Array.from({ length: 8 }, (_, line) => characters(20, 100, 100 + line * 60)).flat();
  const turned = straighten(draw(800, 700, boxes), (-degrees * Math.PI) / 180, 1);
  const found = findSkew(turned);
  expect(Math.abs((found * 180) / Math.PI - degrees)).toBeLessThan(0.06);
  expect(Math.abs(findSkew(straighten(turned, found, 1)))).toBeLessThan(0.002);
});

describe('the lines of a table', () => {
  const [text] = characters(1, 100, 100);
  const rules: readonly Box[] = [
    [20, 60, 360, 3],
    [20, 200, 360, 3],
    [60, 20, 3, 360],
    [300, 20, 3, 360],
  ];

  test('are erased with their crossings', () => {
    expect(darkest(removeRules(draw(400, 400, rules), 300))).toBe(255);
  });

  test('do not take text with them, even where it crosses a line', () => {
    const crossing: Box = [200, 190, 20, 30];
    const marks = findMarks(removeRules(draw(400, 400, [...rules, ...(text ? [text, crossing] : [])]), 300));
    expect(marks.filter(({ left }) => left === 100)).toMatchObject([{ left: 100, top: 100, right: 119, bottom: 129, area: 600 }]);
    expect(marks.filter(({ left }) => left === 200)).toMatchObject([{ top: 190, bottom: 219 }]);
  });
});

describe('cells', () => {
  test('end at a wide gap and are separate for each line', () => {
    const page = draw(800, 400, [...characters(5, 50, 50), ...characters(3, 250, 50), ...characters(4, 50, 110)]);
    const cells = findCells(page, 300).map(({ left, right, baseline, height }) => [left, right, baseline, height]);
    expect(cells.toSorted((a, b) => (a[2] ?? 0) - (b[2] ?? 0) || (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
      [50, 189, 79, 30],
      [250, 329, 79, 30],
      [50, 159, 139, 30],
    ]);
  });

  test('contain decimal points, and neither dust nor remains of lines', () => {
    const page = draw(400, 200, [...characters(2, 50, 50), [72, 75, 5, 5], [300, 60, 1, 1], [350, 20, 2, 60]]);
    expect(findCells(page, 300).map(({ marks }) => marks.length)).toEqual([3]);
  });
});

test('nothing is read from a page of grain instead of a part of it', () => {
  const side = 1800;
  const pixels = Uint8Array.from({ length: side * side }, (_, at) => ((at % side) % 12 < 4 && Math.floor(at / side) % 12 < 4 ? 0 : 255));
  expect(findCells({ pixels, width: side, height: side }, 72)).toEqual([]);
});

test('one mark is found for ink that only joins further down', () => {
  const shape: readonly Box[] = [
    [10, 10, 4, 30],
    [30, 10, 4, 30],
    [10, 36, 24, 4],
  ];
  expect(findMarks(draw(60, 60, shape))).toEqual([{ left: 10, top: 10, right: 33, bottom: 39, area: 304 }]);
});
