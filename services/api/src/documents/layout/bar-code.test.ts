import { expect, test } from 'vitest';
import { barCode } from './bar-code.ts';

test('encodes a bar code with the widths of Code 128 and its check symbol', () => {
  // 11 units for each symbol, 13 for the stop.
  expect(barCode('SIM-1').width).toBe(11 * 7 + 13);
  // Start B, then H = 40, I = 41, check (104 + 40 + 2 * 41) mod 103 = 20, stop.
  const widths = '211214 231113 231311 221231 2331112'.replaceAll(' ', '');
  const bars = widths
    .split('')
    .filter((_, i) => i % 2 === 0)
    .map(Number);
  expect(barCode('HI').bars.map(({ width }) => width)).toEqual(bars);
});

test('draws the three bars of every symbol with an even total width', () => {
  const all = Array.from({ length: 95 }, (_, i) => String.fromCodePoint(32 + i)).join('');
  const { bars } = barCode(all);
  const sums = Array.from({ length: 97 }, (_, i) => bars.slice(i * 3, i * 3 + 3).reduce((sum, { width }) => sum + width, 0));
  expect(sums.every((sum) => sum % 2 === 0)).toBe(true);
});

test('omits characters that a bar code cannot encode', () => {
  expect(barCode('Aé').bars).toEqual(barCode('A').bars);
});
