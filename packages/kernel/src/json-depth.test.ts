import { expect, it } from 'vitest';
import { isJsonDeeperThan } from './json-depth.ts';

const isDeep = (text: string, depthMax = 3) => isJsonDeeperThan(Buffer.from(text), depthMax);

it('counts lists and objects, and closes them again', () => {
  expect(isDeep('[[{}],[[]],{"a":[1]}]')).toBe(false);
  expect(isDeep('[[{"a":[]}]]')).toBe(true);
});

it('takes brackets inside of strings for text, also behind an escaped quote', () => {
  expect(isDeep(String.raw`{"a\"[[[[":"[[[[{{{{\\"}`)).toBe(false);
  expect(isDeep(String.raw`{"a":"\\",  "b":[[[]]]}`)).toBe(true);
});

it('allows 64 levels unless told otherwise', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  expect([isJsonDeeperThan(nested(64)), isJsonDeeperThan(nested(65))]).toEqual([false, true]);
});
