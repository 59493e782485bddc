import { expect, it } from 'vitest';
import { filesUnder, read, withoutComments } from './sources/workspace.ts';

const code = ['packages', 'services'].flatMap((folder) => filesUnder(folder, ['.ts'])).filter((file) => !file.endsWith('.test.ts'));

/** Names of metrics from the rows of the table that state a meaning. */
const documented = [...read('deploy/METRICS.md').matchAll(/^\| (`[^|]+) \|[^|]*\|\s*\S[^|]*\|$/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([a-z0-9_]+)`/g)].map(([, name = '']) => name),
);

it('documents exactly the metrics of the code in deploy/METRICS.md', () => {
  const text = code.map((file) => withoutComments(read(file))).join('\n');
  const used = new Set([...text.matchAll(/\b(?:count|observe|gauge)\(\s*'([a-z0-9]+_[a-z0-9_]+)'/g)].map(([, name = '']) => name));
  expect([...used].filter((name) => !documented.includes(name)).sort()).toEqual([]);
  // Some metrics are named in a list.
  expect(documented.filter((name) => !text.includes(`'${name}'`)).sort()).toEqual([]);
});
