import { expect, test } from 'vitest';
import { readNumber } from './read-number.ts';
import { compare, interpret, overall, readRange, typeOf } from './interpret.ts';

test('reads ranges in every format that labs use', () => {
  expect(readRange('40-60')).toEqual({ min: 40, max: 60 });
  expect(readRange('40-')).toEqual({ min: 40, max: null });
  expect(readRange('-1.2')).toEqual({ min: null, max: 1.2 });
  expect(readRange('<= 5.7')).toEqual({ min: null, max: 5.7 });
  expect(readRange('>60')).toEqual({ min: 60, max: null, isStrict: true });
  expect(readRange('≥ 1,250.5')).toEqual({ min: 1250.5, max: null });
  expect(readRange('\u22122.0–2.0')).toEqual({ min: -2, max: 2 });
  expect(readRange('3,5-5,1')).toEqual({ min: 3.5, max: 5.1 });
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

test('a value that equals a strict limit lies outside it', () => {
  expect(compare('39', 'numeric', readRange('>39') ?? { min: null, max: null })).toEqual({ isAboveMax: null, isBelowMin: true });
  expect(compare('100', 'numeric', readRange('<100') ?? { min: null, max: null })).toEqual({ isAboveMax: true, isBelowMin: null });
  expect(compare('10.8', 'numeric', readRange('<=10.8') ?? { min: null, max: null })).toEqual({ isAboveMax: false, isBelowMin: null });
});

test('reads numbers with separators of thousands, exponents and decimal commas', () => {
  expect(['1,250.5', '1.2E6', '4,1', '\u22125.2', '12,345', '0,123', '16 5', '1,2,3', 'See note'].map(readNumber)).toEqual([
    1250.5,
    1_200_000,
    4.1,
    -5.2,
    12_345,
    0.123,
    null,
    null,
    null,
  ]);
});

test('prefers the flag of the lab over the range, and maps unknown flags to unknown', () => {
  expect([interpret('HH', true), interpret('h', true), interpret('N', false), interpret('?', false)]).toEqual([
    'critical',
    'abnormal',
    'normal',
    'unknown',
  ]);
  expect([interpret(null, false), interpret('', true), interpret('', null)]).toEqual(['abnormal', 'normal', 'unknown']);
  expect([overall(['normal', 'critical', 'abnormal']), overall(['normal', 'unknown']), overall([])]).toEqual([
    'critical',
    'unknown',
    'unknown',
  ]);
});
