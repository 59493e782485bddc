import { and, eq, sql as fragment } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import type { PushJob } from '../../jobs/queues.ts';
import { pushInbox } from '../../model/tables.ts';
import { attemptsMax } from './begin-push.ts';
import type { PushState } from './transitions.ts';

/** Locks a push for this transaction; false when it is no longer pending, or another worker has advanced it. */
export async function lockPush({ sql }: Tx, { pushId, day }: PushJob, itemsDone: number): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM push_inbox WHERE push_id = ${pushId} AND day = ${day} AND state = 'received' AND items_done = ${itemsDone} FOR UPDATE`;
  return rows.length > 0;
}

/** What an applied part adds to its push. */
export interface AppliedPart {
  /** `received`: other parts follow. */
  readonly state: Exclude<PushState, 'failed'>;
  /** Items of the push that are done. */
  readonly itemsDone: number;
  readonly notices: number;
  readonly unreadableNotices: number;
  readonly unknownUsers: number;
  /** Why the rest cannot be read; null: it can. */
  readonly errorCode: string | null;
}

/** What a push has come to with all its parts. */
export interface PushTotals {
  readonly error_code: string | null;
  readonly notices: number | null;
  readonly unreadable_notices: number | null;
  readonly unknown_users: number | null;
}

/** Records a part as applied, the last one as the end of its push. The caller holds the lock of the push (`lockPush`). */
export async function settlePush({ sql }: Tx, { pushId, day }: PushJob, part: AppliedPart, now: Date): Promise<PushTotals | undefined> {
  const isLast = part.state !== 'received';
  const [row] = await sql<PushTotals[]>`
    UPDATE push_inbox SET state = ${part.state}, items_done = ${part.itemsDone}, finished_at = ${isLast ? now.toISOString() : null},
      attempts = CASE WHEN ${isLast} THEN greatest(attempts - 1, 0) ELSE 1 END,
      notices = coalesce(notices, 0) + ${part.notices}, unreadable_notices = coalesce(unreadable_notices, 0) + ${part.unreadableNotices},
      unknown_users = coalesce(unknown_users, 0) + ${part.unknownUsers},
      error_code = coalesce(${part.errorCode}::text, CASE WHEN coalesce(unreadable_notices, 0) + ${part.unreadableNotices} > 0 THEN 'notices_unreadable' END)
    WHERE push_id = ${pushId} AND day = ${day} AND state = 'received' RETURNING error_code, notices, unreadable_notices, unknown_users`;
  return row;
}

/** Records a failed attempt of a pending push; the last one ends it as `failed`. */
export async function failPush({ orm }: Executor, { pushId, day }: PushJob, code: string): Promise<void> {
  const { attempts, state } = pushInbox;
  const isPending = and(eq(pushInbox.pushId, pushId), eq(pushInbox.day, day), eq(state, 'received'));
  const next = fragment`CASE WHEN ${attempts} >= ${attemptsMax} THEN 'failed' ELSE ${state} END`;
  await run(orm.update(pushInbox).set({ errorCode: code, state: next }).where(isPending));
}
