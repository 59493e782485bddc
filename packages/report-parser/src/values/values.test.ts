import { describe, expect, test } from 'vitest';
import { interpret, interpretFinding, isFinding, readFlag } from './interpret.ts';
import { readRange } from './read-range.ts';
import { cleanValue, looksLikeValue, typeOfValue } from './read-value.ts';
import { canonicalUnit, looksLikeUnit, nearestUnit } from './units.ts';

describe('reference ranges', () => {
  test.each([
    ['70-99', 70, 99, true, true],
    ['0.450 – 4.500', 0.45, 4.5, true, true],
    ['<200', null, 200, true, false],
    ['<= 10.5', null, 10.5, true, true],
    ['> OR = 60', 60, null, true, true],
    ['>0OR =40', 40, null, true, true],
    ['13.0t0 17.7', 13, 17.7, true, true],
    ['Oto 34', 0, 34, true, true],
    ['3.4-10.8 10"3/uL', 3.4, 10.8, true, true],
    ['(150-400)', 150, 400, true, true],
    ['Ref Range: 3.5-5.2 mmol/L', 3.5, 5.2, true, true],
    ['1,000-4,800', 1000, 4800, true, true],
    ['-2 - 3', -2, 3, true, true],
  ])('reads the reference range %s', (text, min, max, isMinInclusive, isMaxInclusive) => {
    expect(readRange(text)).toEqual({ min, max, isMinInclusive, isMaxInclusive });
  });

  test('reads a range in parentheses, for a result without a unit', () => {
    expect(readRange('(0.9-1.2)', '')).toMatchObject({ min: 0.9, max: 1.2 });
  });

  test.each(['Negative', '99-70', '', 'See note', '1'.repeat(100)])('finds no numeric range in %s', (text) => {
    expect(readRange(text)).toBeUndefined();
  });
});

test.each([
  ['5.4', 'numeric'],
  ['1e-3', 'numeric'],
  ['1,250', 'numeric'],
  ['<0.5', 'range'],
  ['10-20', 'range'],
  ['20%', 'percentage'],
  ['97/100', 'ratio'],
  ['1:40', 'comment'],
  ['Positive', 'boolean'],
  ['3h', 'duration'],
  ['Yellow', 'comment'],
])('classifies the value %s as %s', (value, type) => {
  expect(typeOfValue(value)).toBe(type);
});

test('removes footnote marks and spaces after a comparator from a value', () => {
  expect([cleanValue('105*'), cleanValue('< 0.5'), cleanValue('5.2 (1)')]).toEqual(['105', '<0.5', '5.2']);
});

test('does not take dates, names or sentences for values', () => {
  expect(['01/02/2026 08:10', 'DOE, JANE', 'Performed at Example Labs', ''].some(looksLikeValue)).toBe(false);
});

test('recognises units in the spellings of laboratories and of OCR', () => {
  expect(['K/uL', 'x10E3/uL', 'Thousand/uL'].map(canonicalUnit)).toEqual(['10^3/uL', '10^3/uL', '10^3/uL']);
  expect(['', ' ', '()', '(calc)', 'mg/dL (calc)'].map(canonicalUnit)).toEqual([undefined, undefined, undefined, 'ratio', 'mg/dL']);
  expect(['ulu/mL', 'mg/dl', 'µmol/L', 'U/1'].map(canonicalUnit)).toEqual(['uIU/mL', 'mg/dL', 'umol/L', 'U/L']);
  expect([looksLikeUnit('copies/mL'), looksLikeUnit('Negative')]).toEqual([true, false]);
});

describe('interpretation', () => {
  const of = (value: string, range: string, flag = '') => interpret(value, readRange(range), readFlag(flag));

  test('compares numbers with the range and its inclusive or exclusive bounds', () => {
    expect(of('5.7', '<5.7')).toEqual({ interpretation: 'abnormal', isAboveMaxRange: true, isBelowMinRange: false });
    expect(of('99', '70-99')).toEqual({ interpretation: 'normal', isAboveMaxRange: false, isBelowMinRange: false });
    expect(of('69', '70-99')).toEqual({ interpretation: 'abnormal', isAboveMaxRange: false, isBelowMinRange: true });
  });

  test('interprets a comparison only when it is conclusive', () => {
    expect(of('>2000', '0-1100')).toMatchObject({ interpretation: 'abnormal', isAboveMaxRange: true });
    expect(of('>500', '0-1100')).toMatchObject({ interpretation: 'unknown', isAboveMaxRange: null });
    expect(of('<40', '<150')).toMatchObject({ interpretation: 'normal', isAboveMaxRange: false });
  });

  test("uses the report's flag when numbers are inconclusive, and for critical results", () => {
    expect(of('Positive', 'Negative', 'A').interpretation).toBe('abnormal');
    expect(of('7.2', '3.5-5.2', 'HH').interpretation).toBe('critical');
    expect(of('Negative', 'Negative').interpretation).toBe('unknown');
  });
});

test.each([
  ['meg/dL', 'ug/dL'],
  ['meg/L', undefined],
  ['mU/L', undefined],
])('the unit %s that OCR misread is %s: look-alike letters count as equal, and a slash stays', (read, unit) => {
  expect(canonicalUnit(read)).toBe(unit);
});

test.each([
  ['Kul', 'K/uL'],
  ['K/L', 'K/uL'],
  ['UL', 'U/L'],
  ['Kal', undefined],
  ['a/dL', undefined],
  ['ng/xL', undefined],
])('the spelling of a unit nearest to %s is %s', (read, unit) => {
  expect(nearestUnit(read)).toBe(unit);
});

test.each([
  ['x1073/uL', '10^3/uL'],
  ['x10M2/L', '10^12/L'],
  ['x1079/L', '10^9/L'],
  ['1043/mm', '10^3/uL'],
  ['x10^6/cumm', '10^6/uL'],
  ['x10"~/oL', undefined],
  ['10^-3/L', undefined],
])('the power of ten in %s, which OCR damaged, is %s: the volume allows only two', (read, unit) => {
  expect(canonicalUnit(read)).toBe(unit);
});

test('a flag is recognised when OCR confuses its letters', () => {
  expect(readFlag('CriticaI')).toBe('critical');
  expect(readFlag('HIGH')).toBe('abnormal');
  expect(readFlag('I')).toBeUndefined();
});

test.each([
  ['Negative', 'Negative', 'normal'],
  ['Not Detected', 'Not detected', 'normal'],
  ['Reactive', 'Non-Reactive', 'abnormal'],
  ['Positive 1:40', 'Negative', 'abnormal'],
  ['Not performed', 'Negative', undefined],
  ['Negative for yeast, positive for bacteria', 'Negative', undefined],
  ['Positive', 'see comment', undefined],
  ['Trace', 'Negative', undefined],
])('the finding %s where %s is expected is %s', (value, expected, interpretation) => {
  expect(interpretFinding(value, expected)).toBe(interpretation);
});

test('a number or a reason for a missing result is no finding', () => {
  expect(['12', 'QNS', 'Insufficient sample', ''].filter(isFinding)).toEqual([]);
  expect(['Reactive 1:8', 'NEGATIVE'].filter(isFinding)).toHaveLength(2);
});

test.each([
  ['lakhs/cumm', '10^5/uL'],
  ['mill/mm3', '10^6/uL'],
  ['K/cmm', '10^3/uL'],
  ['mm/1st hr', 'mm/hr'],
  ['gm%', 'g/dL'],
  ['L/L', 'L/L'],
])('the unit %s of printouts is %s', (printed, unit) => {
  expect(canonicalUnit(printed)).toBe(unit);
});

test.each(['QNS', 'Not done', 'Sample Insufficient', 'Insufficient sample', 'Haemolysed', 'Reactive 1:8'])(
  'the text %s in the place of a number is a value',
  (text) => {
    expect(looksLikeValue(text)).toBe(true);
  },
);

test.each([
  ['Below 200', null, 200],
  ['Above 40', 40, null],
])('reads the limit %s', (text, min, max) => {
  expect(readRange(text)).toMatchObject({ min, max, isMaxInclusive: max === null, isMinInclusive: min === null });
});
