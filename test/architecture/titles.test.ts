import { expect, it } from 'vitest';
import { titlesOf, wordsOf, type Title } from './sources/titles.ts';
import { read, sourceFiles } from './sources/workspace.ts';

const titleMax = 99;
const wordsMin = 3;

const titles: readonly (Title & { readonly file: string })[] = sourceFiles()
  .filter((file) => /(?:\.test|conformance|\/describe-[a-z-]+)\.ts$/.test(file))
  .map((file) => ({ file, code: read(file) }))
  // Parsing every file would take longer than the other architecture tests together.
  .filter(({ code }) => /\b(?:it|test|suite|describe\w*)[.(`]/.test(code))
  .flatMap(({ file, code }) => titlesOf(file, code).map((title) => ({ file, ...title })));

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
    { text: 'plain', line: 1, isSuite: false },
    { text: 'suite', line: 2, isSuite: true },
    { text: 'each %s', line: 3, isSuite: false },
    { text: 'template  end', line: 5, isSuite: false },
  ]);
});

it('keeps test titles below 100 characters', () => {
  const long = titles.filter(({ text }) => text.length > titleMax);
  expect(long.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});

it('counts the words of a title without the values that each test fills in', () => {
  expect(wordsOf('%s is rejected: $name, 10.0.0.0/33')).toEqual(['is', 'rejected:']);
  expect(wordsOf('%i %j')).toEqual([]);
});

it(`requires ${wordsMin} words of every test title, so that it says something when read alone in a list`, () => {
  expect(titles.length).toBeGreaterThan(4000);
  const short = titles.filter(({ text, isSuite }) => !isSuite && wordsOf(text).length < wordsMin);
  expect(short.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([]);
});
