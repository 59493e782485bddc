import { expect, it } from 'vitest';
import { errorCodes } from '@pulsewire/kernel';
import { filesUnder, read, withoutComments, workspaceMembers } from './sources/workspace.ts';

const entries = Object.values(errorCodes).flatMap((table) => Object.entries<readonly [string, string]>(table));

it('every listed error code is thrown or compared somewhere, and listed in one area only', () => {
  const sources = workspaceMembers()
    .flatMap((member) => filesUnder(member.folder, ['.ts']))
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('/error-codes/'))
    .map((file) => withoutComments(read(file)));
  const text = sources.join('\n');
  const names = entries.map(([code]) => code);
  expect(names.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  expect(names.filter((code, place) => names.indexOf(code) !== place)).toEqual([]);
});

it('every error code has a text of one to three sentences, of at most 200 characters', () => {
  const wrong = entries.filter(([code, [, text]]) => !/^[a-z][a-z0-9_]+$/.test(code) || !/^[A-Z`a-z].*\.$/.test(text) || text.length > 200);
  expect(wrong).toEqual([]);
});
