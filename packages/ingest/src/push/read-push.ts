import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { Executor, Tx } from '@pulsewire/database';
import type { RawPush } from '@pulsewire/providers';
import type { PushJob } from '../jobs/queues.ts';

const decompress = promisify(gunzip);
// Verified, but still outside data. As large as the largest push that the edge takes (`pushBytesMax` of the API).
const bodyBytesMax = 32 * 1024 * 1024;

export interface StoredPush {
  readonly provider: string;
  /** Whose applications signed it. */
  readonly owners: readonly string[];
  readonly receivedAt: string;
  /** Of its data. */
  readonly version: bigint;
  readonly push: RawPush;
}

interface PushRow {
  readonly provider: string;
  readonly owners: string[];
  readonly received_at: string;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body: Buffer;
  readonly version: string;
}

/** A push that still waits, as it came; null when it is done already. Locks nothing. */
export async function readPush({ sql }: Executor, { pushId, day }: PushJob): Promise<StoredPush | null> {
  const [row] = await sql<PushRow[]>`
    SELECT provider, owners, received_at, headers, query, body, version FROM push_inbox WHERE push_id = ${pushId} AND day = ${day} AND state = 'received'`;
  if (!row) return null;
  const body = await decompress(row.body, { maxOutputLength: bodyBytesMax });
  return {
    provider: row.provider,
    owners: row.owners,
    receivedAt: row.received_at,
    version: BigInt(row.version),
    push: { method: 'POST', headers: row.headers, query: row.query, body },
  };
}

/** Locks a push for this transaction; false when it does not wait any more. */
export async function holdPush({ sql }: Tx, { pushId, day }: PushJob): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM push_inbox WHERE push_id = ${pushId} AND day = ${day} AND state = 'received' FOR UPDATE`;
  return rows.length > 0;
}
