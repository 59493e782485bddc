import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { errorCode, type Clock } from '@pulsewire/kernel';
import { listErasures, listTeamErasures, replayErasures, replayTeamErasures, type Erasure } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import { readIdentity } from '@pulsewire/eventlog';
import { pageMax, readErasures, verifyErasures, writeErasures, type ListedErasure } from './erasures-file.ts';

async function* pagesOf<E>(
  list: (after: string | null) => Promise<readonly E[]>,
  idOf: (erasure: E) => string,
): AsyncGenerator<readonly E[]> {
  for (let after: string | null = null; ;) {
    const page: readonly E[] = await list(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = idOf(last);
  }
}

// Users first, so that for every team in the list all of its users are in it too.
async function* allErasures(database: Database): AsyncGenerator<readonly ListedErasure[]> {
  yield* pagesOf(
    (after) => listErasures(database, after, pageMax),
    ({ userId }) => userId,
  );
  yield* pagesOf(
    (after) => listTeamErasures(database, after, pageMax),
    ({ teamId }) => teamId,
  );
}

const isUser = (erasure: ListedErasure): erasure is Erasure => erasure.userId !== undefined;

/**
 * Marks the users and teams of the file for erasure, and records their erasures. Returns how many of them this database still contained.
 * Idempotent. Throws AppError `erasures_file_invalid` before any change.
 */
export async function replayErasuresFile(
  database: Database,
  clock: Clock,
  file: string,
): Promise<{ readonly users: number; readonly teams: number }> {
  await verifyErasures(file, await readIdentity(database));
  let [users, teams] = [0, 0];
  for await (const page of readErasures(file)) {
    users += await replayErasures(database, clock, page.filter(isUser));
    teams += await replayTeamErasures(
      database,
      clock,
      page.filter((erasure) => !isUser(erasure)),
    );
  }
  return { users, teams };
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
 * Writes all erasures to the file atomically. Erasures that are only in an existing file are replayed first and stay in it,
 * so a restored database never shortens the list. Throws AppError `erasures_file_invalid` rather than overwrite another file.
 */
export async function saveErasures(
  database: Database,
  clock: Clock,
  file: string,
): Promise<{ readonly count: number; readonly marked: number }> {
  const { users, teams } = (await isThere(file)) ? await replayErasuresFile(database, clock, file) : { users: 0, teams: 0 };
  const half = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const count = await writeErasures(half, await readIdentity(database), allErasures(database));
    await rename(half, file);
    return { count, marked: users + teams };
  } finally {
    await rm(half, { force: true });
  }
}
