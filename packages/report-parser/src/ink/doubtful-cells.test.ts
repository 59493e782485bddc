import { describe, expect, test } from 'vitest';
import type { TextCell } from '../image/find-cells.ts';
import { doubtfulNumbers, doubtfulUnits, isSupportedNumber, type CellText } from './doubtful-cells.ts';

const [height, baseline] = [30, 100];
/** A cell at the left edge of a column: `d` is a digit, `.` a point, `W` two digits that touch. */
function read(text: string, shapes: string, dashes = 0, left = 50): CellText {
  let at = left;
  const marks = shapes.split('').map((shape) => {
    const width = shape === '.' ? 5 : shape === 'W' ? 40 : 18;
    const mark = { left: at, right: at + width - 1, top: baseline - (shape === '.' ? 4 : height - 1), bottom: baseline, area: 100 };
    at += width + 4;
    return mark;
  });
  const cell: TextCell = { marks, left, right: at, top: 71, bottom: baseline, height, baseline };
  return { cell, text, dashes };
}
const column = [read('4.5', 'd.d'), read('136', 'ddd'), read('7.2', 'd.d'), read('98', 'dd')];
const doubted = (one: CellText, others: readonly CellText[] = column) => doubtfulNumbers([...others, one]).map(({ text }) => text);

describe('in a column of numbers', () => {
  test.each([
    ['aN', 'dd'],
    ['1"', 'dd'],
    ['7', 'dd'],
    ['565.9', 'dd.d'],
    ['45', 'd.d'],
  ])('%s is doubtful when it is no number or differs from its ink', (text, shapes) => {
    expect(doubted(read(text, shapes))).toEqual([text]);
  });

  test('a number without the dash that its ink shows is doubtful', () => {
    expect(doubted(read('44', 'Wd', 1))).toEqual(['44']);
    expect(doubted(read('0-44', 'Wd', 1))).toEqual([]);
  });

  test.each([
    ['136', 'ddd'],
    ['H', 'd'],
    ['trace', 'ddddd'],
    ['mg/dL', 'ddddd'],
  ])('%s is not read again', (text, shapes) => {
    expect(doubted(read(text, shapes))).toEqual([]);
  });
});

test('text outside columns of numbers is not read as a number', () => {
  expect(doubted(read('aN', 'dd', 0, 900))).toEqual([]);
  expect(doubted(read('aN', 'dd'), column.slice(2))).toEqual([]);
  expect(doubted(read('aN', 'dd'), [...column, ...['Trace', 'Clear', 'None'].map((text) => read(text, 'ddddd'))])).toEqual([]);
});

test('a second reading needs as many digits and points as the ink', () => {
  const { cell } = read('', 'd.d');
  expect(isSupportedNumber({ cell, text: '9.1', dashes: 0 })).toBe(true);
  for (const text of ['91', '9.12', '9', 'a.1']) expect(isSupportedNumber({ cell, text, dashes: 0 })).toBe(false);
});

test('a word among units is doubtful', () => {
  const units = ['mg/dL', 'g/dL', '%'].map((text) => read(text, 'ddd'));
  expect(doubtfulUnits([...units, read('Kul', 'Wd')]).map(({ text }) => text)).toEqual(['Kul']);
  expect(doubtfulUnits([read('mg/dL', 'ddd'), read('Kul', 'Wd')])).toEqual([]);
});
