import { expect, test } from 'vitest';
import { readCursorText, writeCursorText } from './cursor-text.ts';

test('reads the cursors that were written', () => {
  for (const value of [['a', 1, [2, 3]], { s: 'list', p: [[0, 17]] }]) expect(readCursorText(writeCursorText(value))).toEqual(value);
});

test('refuses objects inside, NUL, lone surrogates, long texts and anything that is not JSON', () => {
  for (const value of [{ after: [{ toString: 1 }] }, ['a\0'], ['\ud800'], ['x'.repeat(9000)], 'text', 1, null, { a: null }, { a: true }])
    expect(readCursorText(writeCursorText(value))).toBeNull();
  expect(readCursorText('%')).toBeNull();
  expect(readCursorText(Buffer.from(`{"a":${'['.repeat(3000)}`).toString('base64url'))).toBeNull();
});
