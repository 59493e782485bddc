import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderProblem } from './folder-problem.ts';

let base = '';
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'pulsewire-folder-'));
  mkdirSync(join(base, 'folder'));
  writeFileSync(join(base, 'file'), '');
  symlinkSync('folder', join(base, 'link'));
  symlinkSync('loop', join(base, 'loop'));
  symlinkSync('nothing', join(base, 'dangling'));
});
afterAll(() => rmSync(base, { recursive: true }));

it.each(['folder', 'link', 'new', 'new/a/b', 'folder/new', 'link/new'])('a folder can be at %s, where one is or can be created', (name) => {
  expect(folderProblem(join(base, name))).toBeNull();
});

it.each([
  ['file', 'is a file'],
  ['file/a/b', 'which is a file'],
  ['loop', 'leads to itself'],
  ['loop/a', 'leads to itself'],
  ['dangling', 'is a link to nothing'],
  ['dangling/a', 'is a link to nothing'],
  ['a'.repeat(300), 'too long'],
  [Array(2000).fill('ab').join('/'), 'too long'],
])('no folder can be at %s, and the text says why', (name, problem) => {
  expect(folderProblem(join(base, name))).toContain(problem);
});

it('no folder can be below a device', () => {
  expect(folderProblem('/dev/null/x')).toContain('which is a file');
});

it.runIf(process.platform === 'linux').each(['/proc/nope', '/sys/nope/x'])('no folder can be created at %s by the kernel', (folder) => {
  expect(folderProblem(folder)).toContain('in which no folder can be created');
});
