import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resources } from '@pulsewire/contract';

const folder = path.join(import.meta.dirname, '../../schemas/openapi');
const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
const document = JSON.parse(readFileSync(path.join(folder, 'openapi.json'), 'utf8')) as {
  paths: Record<string, { get?: { security: Record<string, unknown>[]; deprecated?: boolean } }>;
};

const reads = Object.entries(document.paths).flatMap(([name, { get }]) => (get?.security.some((one) => 'apiKey' in one) ? [name] : []));
const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
/** Items of the list of resources, each as one line. */
const items = readme
  .replaceAll(/\n {2}/g, ' ')
  .split('\n')
  .filter((line) => line.startsWith('- `'));
const named = [...items, ...rows].flatMap((row) =>
  [...row.matchAll(/`(\/[^`]+)`( \(deprecated\))?/g)].map(([, name = '', mark]) => ({ name, mark })),
);

test('the README names each read of the API exactly once, and no others', () => {
  expect(named.map(({ name }) => name).toSorted()).toEqual(reads.toSorted());
});

test('the README marks the reads that the API marks as deprecated', () => {
  const marked = named.filter(({ mark }) => mark !== undefined).map(({ name }) => name);
  expect(marked.toSorted()).toEqual(reads.filter((name) => document.paths[name]?.get?.deprecated === true).toSorted());
});

test('the README lists every summary and every series, with its unit', () => {
  for (const resource of resources) {
    if (resource.kind !== 'summary' && resource.kind !== 'timeseries') continue;
    const item = items.find((line) => line.startsWith(`- \`${resource.name}\` (`)) ?? '';
    expect(item, resource.name).toContain(resource.kind === 'timeseries' ? `(timeseries in ${resource.unit}` : '(summary');
  }
});
