import { describe, expect, test } from 'vitest';
import type { TextCell } from './find-cells.ts';
import { flattenLines } from './flatten-lines.ts';

const page = { width: 3000, height: 2500 };
const [height, advance] = [36, 30];

/** A cell of `length` characters whose feet are at `footAt` of their middle. */
function cell(left: number, length: number, footAt: (x: number) => number): TextCell {
  const marks = Array.from({ length }, (_, index) => {
    const start = left + index * advance;
    const bottom = Math.round(footAt(start + advance / 2));
    return { left: start, right: start + advance - 6, top: bottom - height, bottom, area: 400 };
  });
  const right = left + length * advance;
  return {
    marks,
    left,
    right,
    top: marks[0]?.top ?? 0,
    bottom: marks[0]?.bottom ?? 0,
    height,
    baseline: Math.round(footAt((left + right) / 2)),
  };
}

/** Rows of three cells, each row a line of the page that `footOf` bends. */
const table = (footOf: (row: number, x: number) => number) =>
  Array.from({ length: 12 }, (_, row) => [
    cell(200, 11, (x) => footOf(row, x)),
    cell(1500, 5, (x) => footOf(row, x)),
    cell(2300, 7, (x) => footOf(row, x)),
  ]);

describe('on a bent page', () => {
  test.each([
    ['lines that converge to one side', (row: number, x: number) => 540 + row * 64 - (x / page.width) * (30 + row * 8)],
    ['curled paper', (row: number, x: number) => 540 + row * 64 - 60 * (x / page.width) ** 2],
    ['lines that fall', (row: number, x: number) => 540 + row * 64 + x * 0.04],
  ])('names and values are on one line again: %s', (_what, footOf) => {
    const rows = table(footOf);
    const { baselineOf, isAmbiguous } = flattenLines(rows.flat(), page);
    expect(isAmbiguous).toBe(false);
    for (const row of rows) {
      const baselines = row.map(baselineOf);
      expect(Math.max(...baselines) - Math.min(...baselines)).toBeLessThan(height * 0.5);
    }
  });
});

test('cells of a straight page stay where they are', () => {
  const rows = table((row) => 540 + row * 64);
  const { baselineOf, isAmbiguous } = flattenLines(rows.flat(), page);
  expect(isAmbiguous).toBe(false);
  expect(rows.flat().every((one) => baselineOf(one) === one.baseline)).toBe(true);
});

test('a bent page whose values stand between two lines is ambiguous', () => {
  const bent = (row: number, x: number) => 540 + row * 64 + x * 0.04;
  const rows = table(bent).map(([name, ...others], row) => [
    name,
    ...others.map(({ left, marks }) => cell(left, marks.length, (x) => bent(row, x) + 30)),
  ]);
  const cells = rows.flat().filter((one) => one !== undefined);
  expect(flattenLines(cells, page).isAmbiguous).toBe(true);
});

test('a page without cells is straight', () => {
  expect(flattenLines([], page).isAmbiguous).toBe(false);
});
