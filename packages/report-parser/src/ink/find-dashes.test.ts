import { expect, test } from 'vitest';
import { findCells } from '../image/find-cells.ts';
import { findDashes } from './find-dashes.ts';
import { separateDashes } from './separate-dashes.ts';

/** Two digits 30 pixels high with a dash of 16 pixels that touches both, or a gap of `apart` on each side of it. */
function draw(apart = 0) {
  const [width, height] = [300, 150];
  const pixels = new Uint8Array(width * height).fill(255);
  const box = (left: number, top: number, wide: number, high: number) => {
    for (let y = top; y < top + high; y++) pixels.fill(0, y * width + left, y * width + left + wide);
  };
  box(50, 50, 20, 30);
  box(70 + apart, 66, 16, 3);
  box(86 + 2 * apart, 50, 20, 30);
  return { pixels, width, height };
}
const cellOf = (page: ReturnType<typeof draw>) => {
  const [cell] = findCells(page, 300);
  if (!cell) throw new Error('no cell');
  return cell;
};

test('a dash that touches digits is found and separated from them', () => {
  const page = draw();
  const cell = cellOf(page);
  expect(cell.marks).toHaveLength(1);
  expect(findDashes(page, cell)).toEqual([{ left: 70, right: 85 }]);
  const separate = separateDashes(page, cell);
  expect(separate.marks.map(({ left, right }) => [left, right])).toEqual([
    [50, 69],
    [72, 83],
    [86, 105],
  ]);
  expect(page.pixels[67 * 300 + 70]).toBe(255);
});

test('a dash with space around it stays as it is', () => {
  const page = draw(6);
  const cell = cellOf(page);
  expect(separateDashes(page, cell)).toBe(cell);
});

test('the bar of an H between its two upright strokes is no dash', () => {
  const [width, height] = [300, 150];
  const pixels = new Uint8Array(width * height).fill(255);
  for (let y = 50; y < 80; y++) for (const left of [50, 70]) pixels.fill(0, y * width + left, y * width + left + 5);
  for (let y = 63; y < 67; y++) pixels.fill(0, y * width + 50, y * width + 75);
  const page = { pixels, width, height };
  expect(findDashes(page, cellOf(page))).toEqual([]);
});
