import { createSecretKey, type KeyObject } from 'node:crypto';
import { run, type Executor, type Database, type Tx } from '@pulsewire/database';
import { startGeneration, type GenerationReason, type StartedGeneration } from './start-generation.ts';
import { newestShard } from '../model/newest-row.ts';
import { logInstallation, logShards } from '../model/tables.ts';

/** The installation's id, which its records contain, and the key that only its database has. */
export interface LogIdentity {
  readonly installationId: string;
  readonly macKey: KeyObject;
}

export async function readIdentity({ orm }: Executor): Promise<LogIdentity> {
  const { installationId, macKey } = logInstallation;
  const [row] = await run(orm.select({ installationId, macKey }).from(logInstallation));
  if (row === undefined) throw new Error('log_installation is empty');
  return { installationId: row.installationId, macKey: createSecretKey(row.macKey) };
}

/** What changed about the server since the log was last written: `unknown` where the functions that report it are missing. */
type Change = Extract<GenerationReason, 'system' | 'timeline'> | 'unknown' | null;

// Missing, forbidden or unsupported: managed servers fail in different ways.
const refusals: readonly unknown[] = ['42883', '42501', '0A000'];

async function findChange({ sql }: Executor): Promise<Change> {
  const [row] = await sql<{ is_other_system: boolean; is_other_timeline: boolean }[]>`
    SELECT CASE WHEN i.shards_oid <> 'log_shards'::regclass::oid THEN true
                WHEN i.system_identifier IS NULL THEN false
                ELSE i.system_identifier <> (SELECT system_identifier FROM pg_control_system())::text END AS is_other_system,
           CASE WHEN s.timeline IS NULL THEN false ELSE s.timeline <> left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS is_other_timeline
    FROM log_installation i CROSS JOIN ${newestShard(sql, '0::smallint')} s`;
  if (row?.is_other_system === true) return 'system';
  return row?.is_other_timeline === true ? 'timeline' : null;
}

/**
 * Starts a generation when the server is not the one that the log was last written on: a promoted standby, a point-in-time or
 * logical restore (a loaded dump has another counter table, also in the same cluster). A restored disk snapshot looks like its original
 * server, so an operator has to report it. Returns the generation that was started, or null.
 */
export async function ensureGeneration(database: Database): Promise<StartedGeneration | null> {
  const change = await findChange(database).catch((error: unknown): Change => {
    // The log was last written on a server that has these functions, so it comes from another server.
    if (error instanceof Error && 'code' in error && refusals.includes(error.code)) return 'unknown';
    throw error;
  });
  if (change === null) return null;
  return database.transaction((tx) => (change === 'unknown' ? startUnwatched(tx) : startWatched(tx)));
}

// Per pool, garbage-collected with it: a writing process checks once, and its appends notice later changes.
const ensured = new WeakMap<Database, Promise<unknown>>();

/** As `ensureGeneration`, only on the first call for this pool. */
export function ensureGenerationOnce(database: Database): Promise<unknown> {
  let first = ensured.get(database);
  if (first === undefined) {
    first = ensureGeneration(database);
    ensured.set(database, first);
    // A failed check is repeated at the next call.
    first.catch(() => ensured.delete(database));
  }
  return first;
}

/** As `ensureGeneration`, inside a transaction whose append was refused. */
export async function ensureGenerationIn(tx: Tx): Promise<void> {
  if ((await findChange(tx)) !== null) await startWatched(tx);
}

async function startWatched(tx: Tx): Promise<StartedGeneration | null> {
  const { sql } = tx;
  await sql`SELECT FROM log_installation FOR UPDATE`;
  // Another process may have started the generation while this one waited.
  const change = await findChange(tx);
  if (change !== 'system' && change !== 'timeline') return null;
  if (change === 'system')
    await sql`
      UPDATE log_installation SET shards_oid = 'log_shards'::regclass::oid,
        system_identifier = CASE WHEN system_identifier IS NULL THEN NULL ELSE (SELECT system_identifier FROM pg_control_system())::text END`;
  return startGeneration(tx, { reason: change });
}

async function startUnwatched(tx: Tx): Promise<StartedGeneration | null> {
  const { sql } = tx;
  await sql`SELECT FROM log_installation FOR UPDATE`;
  const [row] = await sql<{ is_watched: boolean }[]>`
    SELECT i.system_identifier IS NOT NULL OR s.timeline IS NOT NULL AS is_watched
    FROM log_installation i CROSS JOIN ${newestShard(sql, '0::smallint')} s`;
  if (row?.is_watched !== true) return null;
  await sql`UPDATE log_installation SET system_identifier = NULL, shards_oid = 'log_shards'::regclass::oid`;
  await run(tx.orm.update(logShards).set({ timeline: null }));
  return startGeneration(tx, { reason: 'system' });
}
