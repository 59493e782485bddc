import type { Database } from '@pulsewire/database';
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

/** A worker that has not finished by then is considered dead. */
const leaseMs = 120_000;

/**
 * Claims the oldest due batch that has no earlier unfinished batch of the same user; null when there is none. Every claim counts as an
 * attempt, so that a batch that crashes its worker is eventually given up.
 */
export async function claimBatch({ sql }: Database, now: Date): Promise<ClaimedBatch | null> {
  const [row] = await sql<ClaimedBatch[]>`
    UPDATE phone_batches SET attempts = attempts + 1, due_at = ${new Date(now.getTime() + leaseMs).toISOString()}::timestamptz
    WHERE batch_id = (
      SELECT b.batch_id FROM phone_batches b
      WHERE b.state = 'received' AND b.due_at <= ${now.toISOString()}::timestamptz
        AND NOT EXISTS (SELECT FROM phone_batches e WHERE e.user_id = b.user_id AND e.state = 'received' AND e.version < b.version)
      ORDER BY b.version LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING batch_id AS "batchId", team_id AS "teamId", user_id AS "userId", provider, version::text, attempts, received_at AS "receivedAt", body`;
  return row ?? null;
}
