import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { run } from '../engines/engine.ts';

export interface DistortJob {
  pdf: string;
  kind: 'scan' | 'photo';
  seed: string;
  /** Path of the files without their endings. */
  base: string;
}

/** A page takes two seconds, many times that on a busy machine; a run has a deadline. */
const atOnce = 4;
/** Made by `setup.sh`. */
export const python = path.join(homedir(), '.cache/pulsewire/printed-reports/bin/python');

/** Scans and photographs printed reports; tells the files of each. */
export async function distort(jobs: readonly DistortJob[]): Promise<{ base: string; files: string[] }[]> {
  if (jobs.length === 0) return [];
  if (!existsSync(python)) {
    console.error('Skipped scans and photos: run setup.sh, which installs numpy, opencv-python-headless, pillow and pypdfium2.');
    return [];
  }
  const script = path.join(import.meta.dirname, 'distort.py');
  const done: { base: string; files: string[] }[] = [];
  for (let at = 0; at < jobs.length; at += atOnce) {
    const answer = await run(python, [script], { input: JSON.stringify(jobs.slice(at, at + atOnce)) });
    done.push(...(JSON.parse(answer) as typeof done));
  }
  return done;
}
