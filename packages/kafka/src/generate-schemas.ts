import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { incompatibilities, recordOfFile } from './avro/compatibility.ts';
import { recordTypes } from './avro/record-types.ts';

// Run as a script: `node packages/kafka/src/generate-schemas.ts [--check | --publish] [--allow-break]`.
const folder = fileURLToPath(new URL('../../../schemas/avro/', import.meta.url));
const published = fileURLToPath(new URL('../../../schemas/published/avro/', import.meta.url));

function schemasIn(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const names = readdirSync(path).filter((name) => name.endsWith('.avsc'));
  return new Map(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}

const wanted = new Map(recordTypes.map((record) => [`${record.name}.avsc`, `${JSON.stringify(record.schema, null, 2)}\n`]));
const present = schemasIn(folder);
const versions = schemasIn(published);

/** Adds a version of each record that changed. All versions stay: any may be in a registry, and in records that are still read. */
function publish(): number {
  mkdirSync(published, { recursive: true });
  let count = 0;
  for (const [file, text] of wanted) {
    const name = recordOfFile(file);
    const earlier = [...versions].filter(([version]) => recordOfFile(version) === name);
    if (earlier.some(([, old]) => old === text)) continue;
    writeFileSync(join(published, `${name}.${earlier.length + 1}.avsc`), text);
    count += 1;
  }
  return count;
}

const changed = [...wanted].filter(([file, text]) => present.get(file) !== text).map(([file]) => file);
const surplus = [...present.keys()].filter((file) => !wanted.has(file));
// Checks the committed file too: a version may be deployed before it is published.
const broken = incompatibilities([...present, ...versions], recordTypes);

if (broken.length > 0 && !process.argv.includes('--allow-break')) {
  for (const line of broken) process.stderr.write(`breaks FULL_TRANSITIVE: schemas/avro/${line}\n`);
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  for (const file of changed) process.stderr.write(`differs: schemas/avro/${file}\n`);
  for (const file of surplus) process.stderr.write(`not generated: schemas/avro/${file}\n`);
  if (changed.length + surplus.length > 0) process.exitCode = 1;
} else {
  mkdirSync(folder, { recursive: true });
  for (const file of changed) writeFileSync(join(folder, file), wanted.get(file) ?? '');
  for (const file of surplus) rmSync(join(folder, file));
  if (process.argv.includes('--publish')) process.stdout.write(`${publish()} versions published\n`);
}
process.stdout.write(`${wanted.size} files, ${changed.length} changed, ${surplus.length} surplus\n`);
