import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { filesUnder, read, root } from './sources/workspace.ts';

const folders = ['packages', 'services', 'test', 'deploy', 'schemas'];
const pages = [...folders.flatMap((folder) => filesUnder(folder, ['.md'])), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];

/** Paths from the root in backticks, and targets of links, that do not exist. */
function missingPaths(page: string): string[] {
  const text = read(page);
  const named = [...text.matchAll(/`((?:packages|services|test|deploy|schemas)\/[\w./-]+)`/g)].map(([, path]) => path as string);
  const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => join(dirname(page), path as string));
  return [...named, ...linked].filter((path) => !existsSync(join(root, path)));
}

/** Files of a tour: items `folder`: `file`, `file`. */
function filesOfTour(page: string): string[] {
  const tour = read(`packages/docs/pages/${page}`).replaceAll(/\n +(?![- ])/g, ' ');
  const items = tour.matchAll(/^ *- .*?`((?:packages|services)\/[\w./-]+)`: (.*)$/gm);
  return [...items].flatMap(([, folder = '', files = '']) =>
    [...files.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file]) => `${folder}/${file}`),
  );
}

it.each([
  ['tour.md', 30],
  ['lab-order-tour.md', 20],
])('the tour in %s refers only to files that exist', (page, least) => {
  const files = filesOfTour(page);
  expect(files.length).toBeGreaterThan(least);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it.each(pages)('refers only to files that exist: %s', (page) => {
  expect(missingPaths(page)).toEqual([]);
});

/** READMEs about our own code; those of the providers also quote names from the providers' documents. */
const ownReadmes = pages.filter((page) => /^(packages|services|test)\//.test(page) && !/^packages\/providers\/src\/(?!kit\/)/.test(page));
const sources = ['packages', 'services', 'test'].flatMap((folder) => filesUnder(folder, ['.ts', '.mjs']));
const identifiers = new Set(sources.flatMap((file) => read(file).match(/[A-Za-z_$][\w$]*/g) ?? []));

it.each(ownReadmes)('names only identifiers that exist in the code: %s', (page) => {
  const quoted = [...read(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, text]) => text?.match(/\b[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*\b/g) ?? []);
  expect([...new Set(quoted)].filter((name) => !identifiers.has(name))).toEqual([]);
});
