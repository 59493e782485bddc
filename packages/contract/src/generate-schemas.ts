import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schemaFiles } from './catalogue/schema-files.ts';

// Run as a script: `node packages/contract/src/generate-schemas.ts [--check]`. Not exported by the package's index, because it reads and
// writes files.
const folder = fileURLToPath(new URL('../../../schemas/events/', import.meta.url));
const wanted = schemaFiles();

function presentFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return undefined;
  }
}

mkdirSync(join(folder, 'samples'), { recursive: true });
const changed = [...wanted].filter(([path, text]) => readText(path) !== text).map(([path]) => path);
const surplus = presentFiles().filter((path) => !wanted.has(path));

if (process.argv.includes('--check')) {
  for (const path of changed) process.stderr.write(`differs: schemas/events/${path}\n`);
  for (const path of surplus) process.stderr.write(`not generated: schemas/events/${path}\n`);
  if (changed.length + surplus.length > 0) process.exitCode = 1;
} else {
  for (const path of changed) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), wanted.get(path) ?? '');
  }
  for (const path of surplus) rmSync(join(folder, path));
}
process.stdout.write(`${wanted.size} files, ${changed.length} changed, ${surplus.length} surplus\n`);
