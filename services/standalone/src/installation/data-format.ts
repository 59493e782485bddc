import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errorCode } from '@pulsewire/kernel';

/** The form of everything in the data folder: keys, the embedded server's cluster, the demo's state. Raised when an older program must not use it. */
const currentFormat = 1;
const formatFile = (dataDir: string) => path.join(dataDir, 'format.json');

async function readFormat(dataDir: string): Promise<number | null> {
  try {
    const { format } = JSON.parse(await readFile(formatFile(dataDir), 'utf8')) as { readonly format?: unknown };
    if (typeof format === 'number' && Number.isSafeInteger(format)) return format;
  } catch (error) {
    // Folders of before the form was recorded have no such file.
    if (errorCode(error) === 'ENOENT') return null;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new AppError({
    code: 'data_format_unreadable',
    kind: 'invalid',
    message: `${formatFile(dataDir)} is damaged. Restore it from a copy; it contains {"format": <number>}`,
  });
}

/**
 * Refuses a data folder that a newer version has written, before anything in it is used. `records`: whether to record the form in a folder
 * without one. Throws AppErrors `data_format_newer` and `data_format_unreadable`.
 */
export async function checkDataFormat(dataDir: string, { records }: { readonly records: boolean }): Promise<void> {
  const format = await readFormat(dataDir);
  if (format !== null && format > currentFormat)
    throw new AppError({
      code: 'data_format_newer',
      kind: 'invalid',
      message: `${dataDir} was written by a newer version (format ${format}; this version knows ${currentFormat}). Run that version or a later one; to go back, restore a copy of the folder from before the upgrade`,
    });
  if (format === null && records) await writeFile(formatFile(dataDir), `${JSON.stringify({ format: currentFormat })}\n`, { flag: 'wx' });
}
