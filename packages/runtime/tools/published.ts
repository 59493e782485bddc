import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { withoutTexts, type Documents } from './compatibility/compare-published.ts';

const folders = ['openapi', 'asyncapi', 'events'];

/** Golden samples are examples, not promises. */
function isDocument(path: string): boolean {
  return path.endsWith('.json') && !path.startsWith('samples');
}

function readFolder(root: string): Documents {
  const files = folders.flatMap((folder) => {
    if (!existsSync(join(root, folder))) return [];
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names.filter(isDocument).map((name) => `${folder}/${name.replaceAll(sep, '/')}`);
  });
  return new Map(files.map((file): [string, unknown] => [file, JSON.parse(readFileSync(join(root, file), 'utf8'))]));
}

/** The documents that `npm run schemas` generates below `schemas`. */
export function readCurrent(schemas: string): Documents {
  return readFolder(schemas);
}

/** The last published version of each. */
export function readPublished(schemas: string): Documents {
  return readFolder(join(schemas, 'published'));
}

/** Makes the current documents the published ones. Avro keeps every version, so its generator does that itself. */
export function publish(schemas: string): void {
  const target = join(schemas, 'published');
  for (const folder of folders) rmSync(join(target, folder), { recursive: true, force: true });
  for (const [file, document] of readCurrent(schemas)) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), `${JSON.stringify(withoutTexts(document), null, 1)}\n`);
  }
}
