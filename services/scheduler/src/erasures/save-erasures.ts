import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { errorCode, type Clock } from '@pulsewire/kernel';
import { listErasures, replayErasures, type Erasure } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import { readIdentity } from '@pulsewire/eventlog';
import { pageMax, readErasures, verifyErasures, writeErasures } from './erasures-file.ts';

async function* pagesOf(database: Database): AsyncGenerator<readonly Erasure[]> {
  for (let after: string | null = null; ;) {
    const page: readonly Erasure[] = await listErasures(database, after, pageMax);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.userId ?? null;
  }
}

/**
 * Marks the users of the file for erasure, and records their erasures. Gives how many of them this database still had. Idempotent.
 * Throws AppError `erasures_file_invalid` before anything is done.
 */
export async function replayErasuresFile(database: Database, clock: Clock, file: string): Promise<number> {
  await verifyErasures(file, await readIdentity(database));
  let marked = 0;
  for await (const page of readErasures(file)) marked += await replayErasures(database, clock, page);
  return marked;
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/**
 * Writes all erasures to the file, in one step. What an existing file has beyond those of the database is replayed first and stays in it,
 * so a restored database never shortens the list. Throws AppError `erasures_file_invalid` rather than overwrite another file.
 */
export async function saveErasures(
  database: Database,
  clock: Clock,
  file: string,
): Promise<{ readonly count: number; readonly marked: number }> {
  const marked = (await isThere(file)) ? await replayErasuresFile(database, clock, file) : 0;
  const half = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const count = await writeErasures(half, await readIdentity(database), pagesOf(database));
    await rename(half, file);
    return { count, marked };
  } finally {
    await rm(half, { force: true });
  }
}
