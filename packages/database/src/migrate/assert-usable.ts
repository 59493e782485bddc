import { AppError, errorCode, type ErrorCode } from '@pulsewire/kernel';
import { openDatabase, type Database, type Executor } from '../client.ts';
import { assertSchema } from './assert-schema.ts';

const oldestVersion = 15;
/** Rounds of the check for kept sessions: a pooler may give a session the same server a few times by chance. */
const rounds = 4;

const unusable = (code: ErrorCode, message: string, retryable = false) => new AppError({ code, kind: 'invalid', message, retryable });

function sessionsNotKept(): AppError {
  return unusable(
    'database_sessions_not_kept',
    'DATABASE_URL leads to a pooler that gives each transaction another session of the server. Pulsewire needs a session of its own for every connection, for its locks, notifications and prepared statements: switch the pooler to session mode, or connect to Postgres directly',
  );
}

/**
 * Throws AppError `database_sessions_not_kept` when statements of one connection run in different sessions. While one connection has a
 * transaction open, the other one must still be in its own session.
 */
async function assertSessionsKept(database: Database): Promise<void> {
  const [first, second] = [await database.reserve(), await database.reserve()];
  try {
    const pidOf = async (session: typeof first) => (await session.unsafe<{ pid: number }[]>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
    const own = await pidOf(first);
    for (let round = 0; round < rounds; round++) {
      await second.unsafe('BEGIN');
      const [other, still] = [await pidOf(second), await pidOf(first)];
      await second.unsafe('COMMIT');
      if (other === own || still !== own) throw sessionsNotKept();
    }
  } finally {
    first.release();
    second.release();
  }
}

async function assertVersion({ sql }: Database): Promise<void> {
  const [version] = await sql<{ major: number; text: string }[]>`
    SELECT current_setting('server_version_num')::int / 10000 AS major, current_setting('server_version') AS text`;
  if ((version?.major ?? 0) < oldestVersion)
    throw unusable('database_too_old', `This is Postgres ${version?.text}; Pulsewire needs version ${oldestVersion} or later`);
}

/** Explains a connection that the driver refused to use, because the server can only be read. */
async function readOnlyReason(url: string): Promise<AppError | null> {
  const any = openDatabase({ url, isReadOnlyAllowed: true, connectionsMax: 1, name: 'pulsewire-check' });
  try {
    const [server] = await any.sql<{ is_standby: boolean }[]>`SELECT pg_is_in_recovery() AS is_standby`;
    const what = server?.is_standby ? 'is a standby' : 'has default_transaction_read_only set';
    return unusable('database_read_only', `The Postgres that DATABASE_URL names ${what}, so nothing can be written`, true);
  } catch {
    return null;
  } finally {
    await any.close();
  }
}

/**
 * Checks at the start of a process that the database can be worked with: a version that we know, sessions of our own, a server that can be
 * written, and a schema that fits this program. Changes nothing. Needs two connections of the pool. Throws AppErrors `database_too_old`, `database_sessions_not_kept`,
 * `database_read_only`, and those of `assertSchema`.
 */
export async function assertUsable(database: Database): Promise<void> {
  try {
    await assertSessionsKept(database);
    await assertVersion(database);
    await assertSchema(database);
  } catch (error) {
    if (errorCode(error) === 'CONNECTION_DESTROYED') throw (await readOnlyReason(database.url)) ?? error;
    throw error;
  }
}

/**
 * Readiness check of a process: throws when the database does not respond, or when it can only be read, as a standby or an old primary. Locks
 * and changes nothing, but is refused like a write, so that the driver leaves such a server.
 */
export async function assertWritable({ sql }: Executor): Promise<void> {
  await sql`SELECT FROM calendar WHERE false FOR UPDATE`;
}
