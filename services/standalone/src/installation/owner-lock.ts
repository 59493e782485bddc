import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assertNotCopied } from '@pulsewire/database';
import { AppError, errorCode } from '@pulsewire/kernel';
import { folderError } from './folder-error.ts';

interface Owner {
  readonly pid: number;
  /** Distinguishes this process from a later one with the same pid. */
  readonly startedAt: string;
}

/** Start time of a process in kernel ticks, and the boot it belongs to; empty if the system does not provide it. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startOf(owner.pid) === owner.startedAt;
}

async function readOwner(file: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Owner;
  } catch {
    return null;
  }
}

/** The process that currently uses this data folder, or null. */
export async function findOwner(dataDir: string): Promise<number | null> {
  const owner = await readOwner(path.join(dataDir, 'owner.json'));
  return owner && owner.pid !== process.pid && isAlive(owner) ? owner.pid : null;
}

/**
 * Creates a folder and those above it. Step by step, because Node's `recursive` never ends where a file system takes no folders, such as
 * below /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const parent = path.dirname(folder);
    const isParentMissing = code === 'ENOENT' && (await stat(parent).catch(() => null)) === null;
    if (!isParentMissing) throw error;
    await makeFolder(parent);
    // Again with its errors: another process may have created it meanwhile.
    await makeFolder(folder);
  }
}

/**
 * Creates the data folder if necessary, and locks it for this process. The lock file of a killed process is taken over.
 * Throws AppErrors `data_dir_in_use`, `data_dir_copied`, `data_dir_not_writable`, `data_dir_no_folder` and `disk_full`.
 */
export async function takeDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  await makeFolder(path.resolve(dataDir)).catch((error: unknown) => {
    throw folderError(error, dataDir);
  });
  // A copy contains the lock of the installation that it was copied from.
  await assertNotCopied(path.join(dataDir, 'postgres'));
  const file = path.join(dataDir, 'owner.json');
  const mark = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) } satisfies Owner);
  for (let attempt = 0; attempt < 5; attempt++) {
    const isOurs = await writeFile(file, mark, { flag: 'wx' }).then(
      () => true,
      (error: unknown) => {
        if (errorCode(error) === 'EEXIST') return false;
        throw folderError(error, dataDir);
      },
    );
    if (isOurs) return { release: () => rm(file, { force: true }) };
    const pid = await findOwner(dataDir);
    if (pid !== null) {
      throw new AppError({
        code: 'data_dir_in_use',
        kind: 'conflict',
        message: `Pulsewire runs on ${dataDir} already (process ${pid}). Stop it, or set DATA_DIR to another folder.`,
      });
    }
    await rm(file, { force: true }).catch((error: unknown) => {
      throw folderError(error, dataDir);
    });
  }
  throw new AppError({ code: 'data_dir_in_use', kind: 'conflict', message: `Another start is taking ${dataDir} at this moment.` });
}
