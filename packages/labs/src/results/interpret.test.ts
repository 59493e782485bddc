import { expect, test } from 'vitest';
import { compare, interpret, overall, readRange, typeOf } from './interpret.ts';

test('reads ranges in every format that labs use', () => {
  expect(readRange('40-60')).toEqual({ min: 40, max: 60 });
  expect(readRange('40-')).toEqual({ min: 40, max: null });
  expect(readRange('-1.2')).toEqual({ min: null, max: 1.2 });
  expect(readRange('<= 5.7')).toEqual({ min: null, max: 5.7 });
  expect(readRange('>60')).toEqual({ min: 60, max: null });
  for (const text of ['', '-', 'negative', '1-2-3']) expect(readRange(text)).toBeNull();
});

test('derives the type of a value from its format', () => {
  expect(['7.4', '-2', '<0.5', '3-5', 'Not detected'].map(typeOf)).toEqual(['numeric', 'numeric', 'range', 'range', 'comment']);
});

test('compares only numbers and ranges with the limits', () => {
  const limits = { min: 40, max: 60 };
  expect(compare('60', 'numeric', limits)).toEqual({ isAboveMax: false, isBelowMin: false });
  expect(compare('60.1', 'numeric', limits)).toEqual({ isAboveMax: true, isBelowMin: false });
  expect(compare('>60', 'range', limits)).toEqual({ isAboveMax: true, isBelowMin: false });
  expect(compare('<40', 'range', limits)).toEqual({ isAboveMax: false, isBelowMin: true });
  expect(compare('55-70', 'range', limits)).toEqual({ isAboveMax: false, isBelowMin: false });
  expect(compare('39', 'numeric', { min: 40, max: null })).toEqual({ isAboveMax: null, isBelowMin: true });
  expect(compare('Positive', 'coded_value', limits)).toEqual({ isAboveMax: null, isBelowMin: null });
});

test('prefers the flag of the lab over the range, and maps unknown flags to unknown', () => {
  expect([interpret('HH', false), interpret('h', false), interpret('N', true), interpret('?', true)]).toEqual([
    'critical',
    'abnormal',
    'normal',
    'unknown',
  ]);
  expect([interpret(null, true), interpret('', false)]).toEqual(['abnormal', 'normal']);
  expect([overall(['normal', 'critical', 'abnormal']), overall(['normal', 'unknown']), overall([])]).toEqual([
    'critical',
    'unknown',
    'unknown',
  ]);
});
