import { advisoryLocks } from '@pulsewire/database';
import { expect, it } from 'vitest';
import { filesUnder, read, withoutComments } from './sources/workspace.ts';

const registry = 'packages/database/src/advisory-locks.ts';
const code = ['packages', 'services'].flatMap((folder) => filesUnder(folder, ['.ts'])).filter((file) => !file.endsWith('.test.ts'));

it('assigns a distinct number to each advisory lock', () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it('takes the numbers of advisory locks only from the registry', () => {
  // The arguments of each call, up to the end of its statement.
  const call = /pg_(?:try_)?advisory_(?:xact_)?(?:un)?lock(?:_shared)?\(([^`]*)`/g;
  const calls = code
    .filter((file) => file !== registry)
    .flatMap((file) => {
      // A nested template would end the statement early.
      const text = withoutComments(read(file)).replaceAll(/\$\{`[^`]*`\}/g, '?');
      return [...text.matchAll(call)].map(([, arguments_ = '']) => ({ file, arguments_ }));
    });
  expect(calls.length).toBeGreaterThan(4);
  expect(calls.filter(({ arguments_ }) => !/\$\{advisoryLocks\.\w+\}/.test(arguments_))).toEqual([]);
});
