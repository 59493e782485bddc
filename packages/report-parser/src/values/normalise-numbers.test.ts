import { expect, test } from 'vitest';
import { decimalSignOf, normaliseNumbers } from './normalise-numbers.ts';

const page = (...texts: readonly string[]) => ({
  words: texts.map((text, index) => ({ text, x: index * 50, y: 10, width: 40, height: 10 })),
  width: 600,
  height: 800,
});
const read = (...texts: readonly string[]) => {
  const pages = [page(...texts)];
  return normaliseNumbers(pages, decimalSignOf(pages))[0]?.words.map(({ text }) => text);
};

test('a comma that cannot separate thousands makes every comma of the report decimal', () => {
  expect(read('14,2', '4,100', '3,500-5,100', '<5,000', '1.234,5')).toEqual(['14.2', '4.100', '3.500-5.100', '<5.000', '1234.5']);
});

test('commas of a report with decimal points separate thousands', () => {
  expect(read('4,100', '12,500', '0.9')).toEqual(['4,100', '12,500', '0.9']);
  expect(read('1,25', '0.9', '1.2', '4.1', '5.5')).toEqual(['1,25', '0.9', '1.2', '4.1', '5.5']);
});

test('a report that prints both is ambiguous', () => {
  expect(decimalSignOf([page('0,9', '1.2')])).toBe('mixed');
});

test('dates, names and words keep their signs, and a minus becomes a hyphen', () => {
  expect(read('0,9', '01.02.2026', '1,25-Dihydroxy', 'DOE,', '\u22125,2', '136\u2012145')).toEqual([
    '0.9',
    '01.02.2026',
    '1,25-Dihydroxy',
    'DOE,',
    '-5.2',
    '136-145',
  ]);
});
