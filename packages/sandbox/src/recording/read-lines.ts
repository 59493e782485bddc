import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The lines of a gzip file, without the empty one at its end. Read whole: the recorded files are below 5 MB. */
export function readLines(file: URL): string[] {
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
