import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkErasuresFile } from './check-erasures-file.ts';

let base = '';
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'pulsewire-erasures-'));
  writeFileSync(join(base, 'kept.jsonl'), '');
  symlinkSync('loop', join(base, 'loop'));
});
afterAll(() => rmSync(base, { recursive: true }));

function problemsOf(file: string): unknown {
  try {
    checkErasuresFile(file);
  } catch (error) {
    return (error as { details: { problems: unknown } }).details.problems;
  }
  return [];
}

it('accepts a file that exists, and one that can be created', () => {
  for (const name of ['kept.jsonl', 'new.jsonl', 'new/new.jsonl']) expect(problemsOf(join(base, name))).toEqual([]);
});

it.each([
  ['/dev/null', 'keeps nothing that is written to it'],
  ['/tmp', 'it is a folder'],
  ['/tmp/erasures/', 'ends with a slash'],
  [`/tmp/${'a'.repeat(5000)}`, 'too long'],
  ['/proc/nope/erasures.jsonl', 'must be in a folder'],
])('refuses %s, in which no erasure would be kept', (file, problem) => {
  expect(problemsOf(file)).toEqual([expect.stringMatching(new RegExp(`^ERASURES_FILE .*${problem}`))]);
});

it('refuses a link that leads to itself, and a folder that is a file', () => {
  expect(problemsOf(join(base, 'loop'))).toEqual(['ERASURES_FILE is a link that leads to itself']);
  expect(problemsOf(join(base, 'kept.jsonl', 'x'))).toEqual([expect.stringContaining('must be in a folder')]);
});
