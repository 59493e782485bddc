import { statSync } from 'node:fs';
import path from 'node:path';
import { AppError, errorCode } from '@pulsewire/kernel';
import { folderProblem } from '@pulsewire/runtime';

/** Why erasures cannot be kept in a file of this name; null when they can, or when the file may not be seen. */
function problemOf(file: string): string | null {
  if (file.endsWith('/')) return 'must be a file, but its name ends with a slash: add a name such as erasures.jsonl';
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) return 'must be a file, but it is a folder: add a name such as erasures.jsonl';
    if (found && !found.isFile()) return 'must be a file on a disk: what is named there keeps nothing that is written to it';
  } catch (error) {
    // ENOTDIR, and folders that may not be entered, are left to what follows.
    if (errorCode(error) === 'ENAMETOOLONG') return 'has a path that is too long';
    if (errorCode(error) === 'ELOOP') return 'is a link that leads to itself';
  }
  const problem = folderProblem(path.dirname(path.resolve(file)));
  return problem === null ? null : `must be in a folder, but what is named there ${problem}`;
}

/** Throws AppError `config_invalid` when the erasures cannot be kept in this file. */
export function checkErasuresFile(file: string | undefined): void {
  const problem = file === undefined ? null : problemOf(file);
  if (problem === null) return;
  const problems = [`ERASURES_FILE ${problem}`];
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
}
