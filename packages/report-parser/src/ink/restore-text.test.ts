import { describe, expect, test } from 'vitest';
import type { TextCell } from '../image/find-cells.ts';
import type { Mark } from '../image/find-marks.ts';
import { isOrnament, isRowOfAsterisks } from './is-ornament.ts';
import { restoreText } from './restore-text.ts';

const baseline = 100;
const mark = (left: number, top: number, width: number, height: number): Mark => ({
  left,
  top: baseline - top,
  right: left + width - 1,
  bottom: baseline - top + height - 1,
  area: width * height,
});
type Shape = readonly [width: number, height: number, top: number];
const shapesOf: ReadonlyMap<string, Shape> = new Map([
  ['d', [16, 30, 29]],
  ['.', [5, 5, 4]],
  [',', [5, 10, 4]],
  ['-', [10, 3, 12]],
  ['·', [5, 5, 20]],
  ["'", [10, 14, 29]],
  ['I', [4, 30, 29]],
  ['W', [36, 30, 29]],
  ['%', [24, 30, 29]],
  [':', [5, 22, 21]],
]);

/**
 * Marks on the baseline: `d` is a digit or a letter 30 pixels high, `I` a stroke, `W` two touching digits, `'` a raised mark, and the
 * others are themselves.
 */
function cellOf(shapes: string): TextCell {
  let left = 10;
  const marks = shapes.split('').map((shape) => {
    const [width, height, top] = shapesOf.get(shape) ?? [0, 0, 0];
    const found = mark(left, top, width, height);
    left += width + 4;
    return found;
  });
  return { marks, left: 10, right: left, top: baseline - 29, bottom: baseline + 6, height: 30, baseline };
}
const blank = { pixels: new Uint8Array(300 * 200).fill(255), width: 300, height: 200 };
const read = (text: string, shapes: string) => {
  const cell = cellOf(shapes);
  return restoreText({ text, left: 10, right: cell.right }, blank, cell);
};

describe('a number that OCR read', () => {
  test.each([
    ['45', 'd.d', '4.5'],
    ['1234', 'd.d-d.d', '1.2-3.4'],
    ['0.04.0', 'd.d-d.d', '0.0-4.0'],
    ['<98', 'dd.d', '<9.8'],
    ['13..5', 'dd.d', '13.5'],
    ['7:2', 'd.d', '7.2'],
    ['375-51.0%', 'dd.d-dd.d%', '37.5-51.0%'],
    ['92fL', 'd.ddd', '9.2fL'],
    ['92mL/1.7', 'd.ddd.d', '9.2mL/1.7'],
  ])('%s gets the points and hyphens that are printed', (text, shapes, restored) => {
    expect(read(text, shapes)).toBe(restored);
  });

  test.each([
    ['45', 'dd'],
    ['4.5', 'd.d'],
    ['4.5', 'dd'],
    ['45', 'd,d'],
    ['45', 'd·d'],
    ['456', 'd.d'.repeat(3)],
    ['1,250', 'd,ddd'],
    ['10:40', 'dd:dd'],
    ['92fL', 'dd.dd'],
    ['375-51.0%', 'dd.d-Wd.d%'],
    ['25-OH', 'dd-dd'],
  ])('%s stays when the ink does not show where a sign is missing', (text, shapes) => {
    expect(read(text, shapes)).toBe(text);
  });

  test('loses a footnote mark that is raised', () => {
    expect(read('4.6!', "d.d'")).toBe('4.6');
    expect(read('4.61', 'd.dd')).toBe('4.61');
  });
});

test.each([
  ['Calcium.', 'dd,', 'Calcium,'],
  ['Calcium', 'dd,', 'Calcium,'],
  ['Calcium', 'dd', 'Calcium'],
  ['U/L', 'Iddd', 'IU/L'],
  ['U/L', 'ddd', 'U/L'],
  ['HbAlc', 'ddddd', 'HbA1c'],
  ['C02', 'ddd', 'CO2'],
  ['25-0H', 'dd-dd', '25-OH'],
  ['mU/L', 'dIddd', 'mIU/L'],
  ['mU/L', 'dddd', 'mU/L'],
  ['»=59', 'ddd', '>=59'],
  ['Calcium.', 'dd.', 'Calcium.'],
])('%s is corrected only by its ink or as a usual word', (text, shapes, restored) => {
  expect(read(text, shapes)).toBe(restored);
});

test('a micro sign is recognised by its open top, and a p stays', () => {
  const cell = cellOf('ddd');
  const word = { text: 'pmol/L', left: 10, right: cell.right };
  expect(restoreText(word, blank, cell)).toBe('µmol/L');
  const closed = { ...blank, pixels: new Uint8Array(blank.pixels.length) };
  expect(restoreText(word, closed, cell)).toBe('pmol/L');
  const count = { ...word, text: '10*3/pL' };
  expect(restoreText(count, blank, cell)).toBe('10*3/µL');
  expect(restoreText(count, closed, cell)).toBe('10*3/pL');
});

test('rows of raised marks are ornaments, and a single one is a flag', () => {
  const cell = cellOf("'''dd");
  expect(isOrnament({ text: '*k%', left: 10, right: 48 }, cell)).toBe(true);
  expect(isOrnament({ text: 'TSH', left: 52, right: 100 }, cell)).toBe(false);
  expect(isOrnament({ text: '*', left: 10, right: 20 }, cellOf("'dd"))).toBe(false);
  expect(['*kk', '***', '*', 'kk', '*A1c'].map(isRowOfAsterisks)).toEqual([true, true, false, false, false]);
});
