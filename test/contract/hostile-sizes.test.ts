import { describe, expect, test } from 'vitest';
import { isJsonDeeperThan } from '@pulsewire/kernel';
import { redactText } from '../../packages/runtime/src/redact.ts';
import { growthOf, linearGrowthMax } from '../support/growth.ts';

/** Texts that make patterns and scanners begin again at every character, where they can. */
const shapes: Readonly<Record<string, (size: number) => string>> = {
  letters: (size) => 'a'.repeat(size),
  digits: (size) => '1'.repeat(size),
  spaces: (size) => ' '.repeat(size),
  'line breaks': (size) => '\n'.repeat(size),
  quotes: (size) => '"'.repeat(size),
  backslashes: (size) => '\\'.repeat(size),
  brackets: (size) => '['.repeat(size),
  'angle brackets': (size) => '<'.repeat(size),
  slashes: (size) => '/'.repeat(size),
  'schemes without an end': (size) => 'a://'.repeat(size / 4),
  'credentials without an end': (size) => `https://${':'.repeat(size)}`,
  'query keys without a value': (size) => '?a'.repeat(size / 2),
  'words of a scheme without a token': (size) => 'bearer '.repeat(size / 7),
  'a word of a scheme and spaces': (size) => `bearer${' '.repeat(size)}`,
};

/** Everything that reads texts from outside by a pattern or a scanner of ours. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'log redaction': redactText,
  'JSON depth': (text) => isJsonDeeperThan(Buffer.from(text)),
};

const size = 8 * 1024;

describe.each(Object.entries(readers))('%s', (_name, read) => {
  test.each(Object.entries(shapes))('takes time in proportion to the length of: %s', (_shape, textOf) => {
    expect(growthOf(textOf, read, size)).toBeLessThan(linearGrowthMax);
  });
});
