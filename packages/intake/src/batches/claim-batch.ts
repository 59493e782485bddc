import { and, eq, gt, sql } from 'drizzle-orm';
import { createLeaseQueue, run, type Database, type Tx } from '@pulsewire/database';
import type { PhoneProvider } from '@pulsewire/providers';
import { phoneBatches } from '../model/tables.ts';

/** A batch claimed by a worker. */
export interface ClaimedBatch {
  readonly batchId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly provider: PhoneProvider;
  readonly version: string;
  readonly attempts: number;
  /** Postgres' text. */
  readonly receivedAt: string;
  readonly body: Buffer;
}

/** A batch under the lease of this worker. */
export interface LeasedBatch extends ClaimedBatch {
  readonly row: typeof phoneBatches.$inferSelect;
}

/** A worker that has not renewed its lease for this long is considered dead. */
export const batchLeaseMs = 120_000;

/** The leases of batches. Their attempts are the epoch, and a leased batch is due again when its lease ends. */
export const batchQueue = createLeaseQueue({
  table: phoneBatches,
  key: 'batchId',
  dueAt: 'dueAt',
  leaseUntil: 'dueAt',
  epoch: 'attempts',
  attempts: 'attempts',
  lastError: 'errorCode',
  isOpen: sql`${phoneBatches.state} = 'received'`,
});

/** Claims the oldest due batches, each of another user: none is claimed while an earlier one of its user is unfinished. */
export async function claimBatches(database: Database, limit: number): Promise<readonly LeasedBatch[]> {
  const { userId, version } = phoneBatches;
  const isOldest = sql`NOT EXISTS (
    SELECT FROM phone_batches e WHERE e.user_id = ${userId} AND e.state = 'received' AND e.version < ${version})`;
  const rows = await batchQueue.claim(database, { leaseMs: batchLeaseMs, limit, where: isOldest, order: [sql`${version}`] });
  return rows.map((row) => ({ ...row, provider: row.provider as PhoneProvider, version: row.version.toString(), row }));
}

/** Whether further batches of the user wait behind this one. */
export async function hasNext(database: Database, { userId, row }: LeasedBatch): Promise<boolean> {
  const { batchId, state, version } = phoneBatches;
  const behind = and(eq(phoneBatches.userId, userId), sql`${state} = 'received'`, gt(version, row.version));
  return (await run(database.orm.select({ batchId }).from(phoneBatches).where(behind).limit(1))).length > 0;
}

/** Most batches that are applied together, and their bytes: about as much as one large batch. */
const [togetherMax, togetherBytesMax] = [20, 4 * 1024 * 1024];

/**
 * Claims the batches that wait directly behind a claimed one, in its transaction: of the same phone, none of which was tried before. Nobody
 * else can claim them while the one before them is unfinished.
 */
export async function claimNext({ sql: query }: Tx, { userId, provider, version }: ClaimedBatch): Promise<readonly ClaimedBatch[]> {
  return query<ClaimedBatch[]>`
    WITH waiting AS MATERIALIZED (
      SELECT batch_id, version, provider, attempts, body_bytes FROM phone_batches
      WHERE user_id = ${userId} AND state = 'received' AND version > ${version}::bigint ORDER BY version LIMIT ${togetherMax - 1} FOR UPDATE
    ), together AS (
      SELECT batch_id, bool_and(provider = ${provider} AND attempts = 0) OVER before AND sum(body_bytes) OVER before <= ${togetherBytesMax} AS is_it
      FROM waiting WINDOW before AS (ORDER BY version)
    )
    SELECT b.batch_id AS "batchId", b.team_id AS "teamId", b.user_id AS "userId", b.provider, b.version::text, b.attempts,
      b.received_at AS "receivedAt", b.body
    FROM together t JOIN phone_batches b ON b.batch_id = t.batch_id WHERE t.is_it ORDER BY b.version`;
}
