import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@pulsewire/kernel';

// On a collision the server counts up from there.
const collisionsMax = 64;

/**
 * Refuses a cluster whose files were copied while its server ran: such a copy mixes states of different moments, and recovery may lose or
 * damage data without an error. The lock file, which only a running server has, tells where it was made: its second line is the folder, and
 * the shared memory key in its seventh line begins at the inode of that folder, which a copy does not have but a moved folder does.
 * Throws AppError `data_dir_copied`.
 */
export async function assertNotCopied(folder: string): Promise<void> {
  const lockFile = path.join(folder, 'postmaster.pid');
  const text = await readFile(lockFile, 'utf8').catch(() => null);
  if (text === null) return;
  const lines = text.split('\n');
  const memoryKey = lines[6]?.trim().split(/\s+/, 1)[0];
  const { ino } = await stat(folder, { bigint: true });
  // A server that ended early in its start has not written the key.
  const isCopy = memoryKey
    ? BigInt.asUintN(32, BigInt(memoryKey) - ino) >= collisionsMax
    : lines[1] !== undefined && path.resolve(lines[1]) !== path.resolve(folder);
  if (!isCopy) return;
  throw new AppError({
    code: 'data_dir_copied',
    kind: 'invalid',
    message:
      `${folder} is a copy of ${lines[1] ?? 'another folder'}, made while its Postgres was running, and may be damaged. ` +
      'Stop Pulsewire there, copy the folder again, and start here. ' +
      `If you are sure that it was copied as one snapshot, delete ${lockFile} and start again.`,
  });
}
