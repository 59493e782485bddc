import { readFile } from 'node:fs/promises';

/** A file of `packages/labs/data`. */
export function readDataFile(name: string): Promise<Buffer> {
  return readFile(new URL(`../../../data/${name}`, import.meta.url));
}

/** The lines of a CSV text below its header. Quoted fields may contain commas; fields contain no line breaks or quotes. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const [, ...lines] = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''));
}
