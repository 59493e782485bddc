import { statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError, errorCode } from '@pulsewire/kernel';

/** Rough size of an installation with the demo's data after an hour. */
const neededMb = 500;

function freeText(folder: string): string {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return `${Math.floor((bavail * bsize) / 1_000_000)} MB are free`;
  } catch {
    return 'the free space is unknown';
  }
}

const isAnywhereIn = (error: unknown, pattern: RegExp): boolean =>
  error instanceof Error && (pattern.test(error.message) || isAnywhereIn(error.cause, pattern));

/** What an operator must do about the data folder; other errors are returned unchanged. */
export function folderError(error: unknown, dataDir: string): unknown {
  const code = errorCode(error);
  const folder = path.resolve(dataDir);
  // 53100 is Postgres' code for a full disk.
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100' || isAnywhereIn(error, /No space left on device/)) {
    const message = `The disk of DATA_DIR (${folder}) is full: ${freeText(folder)}, and a new installation needs about ${neededMb} MB. Free some space, or set DATA_DIR to a folder on another disk.`;
    return new AppError({ code: 'disk_full', kind: 'invalid', message, cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const reason = code === 'EROFS' ? 'is on a disk that is mounted read-only' : `is not writable by user ${os.userInfo().username}`;
    const message = `DATA_DIR (${folder}) ${reason}. Change its owner or permissions, or set DATA_DIR to another folder.`;
    return new AppError({ code: 'data_dir_not_writable', kind: 'invalid', message, cause: error });
  }
  if (code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENOENT') {
    const reason = code === 'ENOENT' ? 'cannot be created there' : 'is not a folder';
    const message = `DATA_DIR (${folder}) ${reason}. Set it to a folder on a disk.`;
    return new AppError({ code: 'data_dir_no_folder', kind: 'invalid', message, cause: error });
  }
  return error;
}
