import type { Database, Tx } from '@pulsewire/database';
import type { PhoneProvider } from '@pulsewire/providers';

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

/** Whether the user's next batch waits already. */
export interface OldestBatch extends ClaimedBatch {
  readonly hasNext: boolean;
}

/** A worker that has not finished by then is considered dead. */
const leaseMs = 120_000;

/**
 * Claims the oldest due batch that has no earlier unfinished batch of the same user; null when there is none. Every claim counts as an
 * attempt, so that a batch that crashes its worker is eventually given up.
 */
export async function claimBatch({ sql }: Database, now: Date): Promise<OldestBatch | null> {
  const [row] = await sql<OldestBatch[]>`
    UPDATE phone_batches c SET attempts = attempts + 1, due_at = ${new Date(now.getTime() + leaseMs).toISOString()}::timestamptz
    WHERE batch_id = (
      SELECT b.batch_id FROM phone_batches b
      WHERE b.state = 'received' AND b.due_at <= ${now.toISOString()}::timestamptz
        AND NOT EXISTS (SELECT FROM phone_batches e WHERE e.user_id = b.user_id AND e.state = 'received' AND e.version < b.version)
      ORDER BY b.version LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING batch_id AS "batchId", team_id AS "teamId", user_id AS "userId", provider, version::text, attempts, received_at AS "receivedAt", body,
      EXISTS (SELECT FROM phone_batches n WHERE n.user_id = c.user_id AND n.state = 'received' AND n.version > c.version) AS "hasNext"`;
  return row ?? null;
}

/** Most batches that are applied together, and their bytes: about as much as one large batch. */
const [togetherMax, togetherBytesMax] = [20, 4 * 1024 * 1024];

/**
 * Claims the batches that wait directly behind a claimed one, in its transaction: of the same phone, none of which was tried before. Nobody
 * else can claim them while the one before them is unfinished.
 */
export async function claimNext({ sql }: Tx, { userId, provider, version }: ClaimedBatch): Promise<readonly ClaimedBatch[]> {
  return sql<ClaimedBatch[]>`
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
