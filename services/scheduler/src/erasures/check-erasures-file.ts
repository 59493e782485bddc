import { statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@pulsewire/kernel';

function isFolder(name: string): boolean | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false })?.isDirectory();
  } catch {
    // Such as a folder that may not be entered; the process that writes reports it.
    return undefined;
  }
}

/** Throws AppError `config_invalid` when the erasures cannot be kept in this file. */
export function checkErasuresFile(file: string | undefined): void {
  if (file === undefined) return;
  const problems = [
    ...(isFolder(file) ? ['ERASURES_FILE must be a file, but it is a folder: add a name such as erasures.jsonl'] : []),
    ...(isFolder(path.dirname(path.resolve(file))) === false
      ? ['ERASURES_FILE must be in a folder, but what is named there is a file']
      : []),
  ];
  if (problems.length > 0)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
}
