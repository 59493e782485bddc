import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { comparePublished } from './compatibility/compare-published.ts';
import { publish, readCurrent, readPublished } from './published.ts';
import { root } from './root.ts';

// A package that publishes a contract has this file; with `--check` it only compares. Found by name, so that no one registers anything.
const generator = join('src', 'generate-schemas.ts');

const files = ['packages', 'services'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => join(root, folder, name, generator))
    .filter((file) => existsSync(file)),
);
for (const file of files) {
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

const schemas = join(root, 'schemas');
const breaks = process.argv.includes('--allow-break') ? [] : comparePublished(readPublished(schemas), readCurrent(schemas));
for (const line of breaks) process.stderr.write(`breaks the published version: schemas/${line}\n`);
if (breaks.length > 0) {
  process.stderr.write('Add instead of changing, or publish a break that is meant: npm run schemas -- --publish --allow-break\n');
  process.exitCode = 1;
}
if (process.argv.includes('--publish') && process.exitCode !== 1) {
  publish(schemas);
  process.stdout.write('schemas/published written\n');
}
