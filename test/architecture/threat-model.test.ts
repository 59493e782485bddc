import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

/** Targets of the links of a Markdown file, without anchors and addresses of the web. */
function linksOf(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((match) => match[1] as string);
  return targets.filter((target) => !target.includes('://'));
}

test.each(['SECURITY.md', 'deploy/THREAT-MODEL.md'])('every file that %s links to exists', (file) => {
  const missing = linksOf(file).filter((target) => !existsSync(path.join(root, path.dirname(file), target)));
  expect(missing).toEqual([]);
});

test('every threat links to a test', () => {
  const [threats = ''] = readFileSync(path.join(root, 'deploy/THREAT-MODEL.md'), 'utf8').split('\n## ');
  const items = threats.split(/^- \*\*/m).slice(1);
  expect(items.length).toBeGreaterThan(15);
  expect(items.filter((item) => !/^ {2}Tests?: .*\.test\.ts\)/m.test(item)).map((item) => item.split('\n')[0])).toEqual([]);
});
