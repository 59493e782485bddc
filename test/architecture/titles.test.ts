import { expect, it } from 'vitest';
import { titlesOf } from './sources/titles.ts';
import { read, sourceFiles } from './sources/workspace.ts';

const titleMax = 99;

it('finds titles of tests and suites in every form', () => {
  const code = [
    `test('plain', () => {});`,
    `describe.skip("suite", () => {});`,
    `it.each([[1]])('each %s', () => {});`,
    'test.each`a\n${1}`(`template ${1} end`, () => {});',
    `expect(regexp.test('not a title')).toBe(true);`,
    `audit('not a title');`,
  ].join('\n');
  expect(titlesOf('x.test.ts', code)).toEqual([
    { text: 'plain', line: 1 },
    { text: 'suite', line: 2 },
    { text: 'each %s', line: 3 },
    { text: 'template  end', line: 5 },
  ]);
});

it('keeps test titles below 100 characters', () => {
  const long = sourceFiles()
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, code: read(file) }))
    // Parsing every file would take longer than the other architecture tests together.
    .filter(({ code }) => /\b(?:it|test|suite|describe\w*)[.(`]/.test(code))
    .flatMap(({ file, code }) => titlesOf(file, code).map((title) => ({ file, ...title })))
    .filter(({ text }) => text.length > titleMax);
  expect(long.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});
