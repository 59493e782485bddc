import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
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

const baseline = (schemas: string) => join(schemas, 'published', 'documents.json.gz');

/** The last published version of each, by path; without texts and examples. `zcat` shows the file. */
export function readPublished(schemas: string): Documents {
  if (!existsSync(baseline(schemas))) return new Map();
  const text = gunzipSync(readFileSync(baseline(schemas))).toString('utf8');
  return new Map(Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>));
}

/**
 * Makes the current documents the published ones. They are only compared with, so they are one compressed file instead of 100,000 lines.
 * Avro keeps every version as a file, because registries and readers need them; its generator does that itself.
 */
export function publish(schemas: string): void {
  const documents = [...readCurrent(schemas)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = `${JSON.stringify(Object.fromEntries(documents.map(([file, document]) => [file, withoutTexts(document)])), null, 1)}\n`;
  mkdirSync(dirname(baseline(schemas)), { recursive: true });
  writeFileSync(baseline(schemas), gzipSync(text, { level: 9 }));
}
