import { and, eq, gte, lt, sql as fragment } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import type { RawPush } from '@pulsewire/providers';
import type { PushJob } from '../../jobs/queues.ts';
import { pushInbox } from '../../model/tables.ts';

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

/** Without the body. */
const readColumns = {
  provider: pushInbox.provider,
  owners: pushInbox.owners,
  receivedAt: pushInbox.receivedAt,
  headers: pushInbox.headers,
  query: pushInbox.query,
  version: pushInbox.version,
  pieces: pushInbox.pieces,
  bodyBytes: pushInbox.bodyBytes,
  itemsDone: pushInbox.itemsDone,
  unreadableNotices: pushInbox.unreadableNotices,
};

/** A push is given up after this many consecutive attempts in which no part was completed. */
export const attemptsMax = 20;

/**
 * A pending push; null when it is done already. The attempt is counted here, so that a push that kills its worker is eventually given up.
 */
export async function beginPush({ orm }: Executor, job: PushJob): Promise<StoredPush | null> {
  const { pushId, day, state, attempts } = pushInbox;
  const isPending = and(eq(pushId, job.pushId), eq(day, job.day), eq(state, 'received'));
  const counted = orm.update(pushInbox).set({ attempts: fragment`${attempts} + 1` });
  const [row] = await run(counted.where(and(isPending, lt(attempts, attemptsMax))).returning(readColumns));
  if (!row) {
    const failed = orm.update(pushInbox).set({ state: 'failed', errorCode: 'attempts_spent' });
    await run(failed.where(and(isPending, gte(attempts, attemptsMax))));
    return null;
  }
  return {
    job,
    provider: row.provider,
    owners: row.owners,
    receivedAt: row.receivedAt,
    version: row.version,
    headers: row.headers as RawPush['headers'],
    query: row.query as RawPush['query'],
    pieces: row.pieces,
    bodyBytes: row.bodyBytes === null ? null : Number(row.bodyBytes),
    itemsDone: Number(row.itemsDone),
    unreadable: row.unreadableNotices ?? 0,
  };
}
