import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AvroNode } from './avro/avro-schema.ts';
import { incompatibility } from './avro/compatibility.ts';
import { recordTypes } from './avro/record-types.ts';

// Run as a script: `node packages/kafka/src/generate-schemas.ts [--check | --release | --allow-break]`.
const folder = fileURLToPath(new URL('../../../schemas/avro/', import.meta.url));
const released = join(folder, 'released');

function schemasIn(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const names = readdirSync(path).filter((name) => name.endsWith('.avsc'));
  return new Map(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}

function recordName(file: string): string {
  return file.slice(0, file.indexOf('.'));
}

const wanted = new Map(recordTypes.map((record) => [`${record.name}.avsc`, `${JSON.stringify(record.schema, null, 2)}\n`]));
const present = schemasIn(folder);
const frozen = schemasIn(released);

/** The committed file and every released version: all may be in a registry and in records that are still read. */
function breaks(): string[] {
  const older = [...present, ...frozen];
  return older.flatMap(([file, text]) => {
    const now = recordTypes.find((record) => record.name === recordName(file));
    if (now === undefined) return [`${file}: the record is gone`];
    const reason = incompatibility(JSON.parse(text) as AvroNode, now.schema);
    return reason === null ? [] : [`${file}: ${reason}`];
  });
}

function release(): number {
  mkdirSync(released, { recursive: true });
  let count = 0;
  for (const [file, text] of wanted) {
    const versions = [...frozen].filter(([name]) => recordName(name) === recordName(file));
    if (versions.some(([, old]) => old === text)) continue;
    writeFileSync(join(released, `${recordName(file)}.${versions.length + 1}.avsc`), text);
    count += 1;
  }
  return count;
}

const changed = [...wanted].filter(([file, text]) => present.get(file) !== text).map(([file]) => file);
const surplus = [...present.keys()].filter((file) => !wanted.has(file));
const broken = breaks();

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
  if (process.argv.includes('--release')) process.stdout.write(`${release()} released\n`);
}
process.stdout.write(`${wanted.size} files, ${changed.length} changed, ${surplus.length} surplus\n`);
