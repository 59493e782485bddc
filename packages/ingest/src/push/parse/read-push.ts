import type { Executor, Tx } from '@pulsewire/database';
import type { RawPush } from '@pulsewire/providers';
import type { PushJob } from '../../jobs/queues.ts';

/** A pending push, without its body. */
export interface StoredPush {
  readonly job: PushJob;
  readonly provider: string;
  /** Whose applications signed it. */
  readonly owners: readonly string[];
  readonly receivedAt: string;
  /** Drawn when the push arrived; its data is stored under it. */
  readonly version: bigint;
  readonly headers: RawPush['headers'];
  readonly query: RawPush['query'];
  /** Number of pieces of the body; 0: the body is in the row itself (pushes stored before bodies were cut into pieces). */
  readonly pieces: number;
  /** Of the body before it was compressed; null: not known. */
  readonly bodyBytes: number | null;
  /** How many items of a body that is read in parts are done. */
  readonly itemsDone: number;
  /** How many of those could not be read. */
  readonly unreadable: number;
}

interface PushRow {
  readonly provider: string;
  readonly owners: string[];
  readonly received_at: string;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string>;
  readonly version: string;
  readonly pieces: number;
  readonly body_bytes: string | null;
  readonly items_done: string;
  readonly unreadable_notices: number | null;
}

/** A push is given up after this many consecutive attempts in which no part was completed. */
export const attemptsMax = 20;

/**
 * A pending push; null when it is done already. The attempt is counted here, so that a push that kills its worker is eventually given up.
 */
export async function readPush({ sql }: Executor, job: PushJob): Promise<StoredPush | null> {
  const [row] = await sql<PushRow[]>`
    UPDATE push_inbox SET attempts = attempts + 1
    WHERE push_id = ${job.pushId} AND day = ${job.day} AND state = 'received' AND attempts < ${attemptsMax}
    RETURNING provider, owners, received_at, headers, query, version, pieces, body_bytes, items_done, unreadable_notices`;
  if (!row) {
    await sql`
      UPDATE push_inbox SET state = 'failed', error_code = 'attempts_spent'
      WHERE push_id = ${job.pushId} AND day = ${job.day} AND state = 'received' AND attempts >= ${attemptsMax}`;
    return null;
  }
  return {
    job,
    provider: row.provider,
    owners: row.owners,
    receivedAt: row.received_at,
    version: BigInt(row.version),
    headers: row.headers,
    query: row.query,
    pieces: row.pieces,
    bodyBytes: row.body_bytes === null ? null : Number(row.body_bytes),
    itemsDone: Number(row.items_done),
    unreadable: row.unreadable_notices ?? 0,
  };
}

/** Locks a push for this transaction; false when it is no longer pending, or another worker has advanced it. */
export async function holdPush({ sql }: Tx, { pushId, day }: PushJob, itemsDone: number): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM push_inbox WHERE push_id = ${pushId} AND day = ${day} AND state = 'received' AND items_done = ${itemsDone} FOR UPDATE`;
  return rows.length > 0;
}
