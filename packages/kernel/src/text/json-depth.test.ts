import { expect, it } from 'vitest';
import { isJsonDeeperThan } from './json-depth.ts';

const isDeep = (text: string, depthMax = 3) => isJsonDeeperThan(Buffer.from(text), depthMax);

it('counts nested lists and objects, and their ends', () => {
  expect(isDeep('[[{}],[[]],{"a":[1]}]')).toBe(false);
  expect(isDeep('[[{"a":[]}]]')).toBe(true);
});

it('ignores brackets inside strings, also after an escaped quote', () => {
  expect(isDeep(String.raw`{"a\"[[[[":"[[[[{{{{\\"}`)).toBe(false);
  expect(isDeep(String.raw`{"a":"\\",  "b":[[[]]]}`)).toBe(true);
});

it('allows 64 levels by default', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  expect([isJsonDeeperThan(nested(64)), isJsonDeeperThan(nested(65))]).toEqual([false, true]);
});
