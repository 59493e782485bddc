import { textArray, type Tx } from '@pulsewire/database';
import type { RawPush } from '@pulsewire/providers';
import type { PushJob } from '../../jobs/queues.ts';

/** A verified push whose body is stored except for its last piece. */
export interface ReceivedPush {
  readonly provider: string;
  /** Whose applications signed it. */
  readonly owners: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly query: RawPush['query'];
  readonly pieces: number;
  readonly lastPiece: Buffer;
  /** Of the body before it was compressed. */
  readonly bodyBytes: number;
  readonly version: bigint;
}

/** Stores a received push with the last piece of its body. */
export async function insertPush({ sql }: Tx, { pushId, day }: PushJob, push: ReceivedPush, now: Date): Promise<void> {
  await sql`
    WITH last AS (INSERT INTO push_bodies (push_id, day, piece, body) VALUES (${pushId}, ${day}, ${push.pieces}, ${push.lastPiece}))
    INSERT INTO push_inbox (push_id, day, provider, owners, headers, query, pieces, body_bytes, version, state, received_at)
    VALUES (${pushId}, ${day}, ${push.provider}, ${textArray(push.owners)}::text[], ${JSON.stringify(push.headers)}::jsonb,
      ${JSON.stringify(push.query)}::jsonb, ${push.pieces}, ${push.bodyBytes}, ${String(push.version)}, 'received', ${now.toISOString()})`;
}
