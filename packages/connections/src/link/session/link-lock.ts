import { AppError, sleep } from '@pulsewire/kernel';
import type { Executor } from '@pulsewire/database';
import type { LinkContext } from '../../context/context.ts';
import { linkError } from './link-error.ts';
import { toLinkSession, type LinkSession, type LinkSessionRow } from './session.ts';

/** Calls of one try together take this long where the provider needs no more. */
const usualCallsMs = 30_000;
/** A turn is so much longer; a crashed process holds up the session no longer than that. */
const storingMs = 15_000;
const waitMaxMs = 30_000;
const pollMs = 50;

/** No turn is as long: one that ends later was given by a clock that was ahead. */
const turnSecondsMax = 600;

/** What the longest calls take, and storing what came of them. */
const turnSecondsLeft = 120;

/** Ends turns of a user's sessions that a step of the database's clock has made longer as late as their holders may need. */
export async function capLinkLocks({ sql }: Executor, { userId, teamId }: Pick<LinkSession, 'userId' | 'teamId'>): Promise<void> {
  await sql`
    UPDATE link_sessions SET callback_until = clock_timestamp() + make_interval(secs => ${turnSecondsLeft})
    WHERE user_id = ${userId} AND team_id = ${teamId} AND callback_until > clock_timestamp() + make_interval(secs => ${turnSecondsMax})`;
}

/** The right to work on a session; `session` is how it stood when the turn began. */
export interface LinkLock {
  readonly session: LinkSession;
  readonly epoch: string;
}

/**
 * Waits until nobody else is at work on the session, and takes the turn: a code can be exchanged once only, so two tries at the same
 * moment must not both go to the provider. Throws a link error `token_consumed` when the other one made the connection, and AppError
 * `link_busy` when it takes too long.
 */
async function acquireLinkLock(context: LinkContext, session: LinkSession, callsMs: number): Promise<LinkLock> {
  const { sql } = context.database;
  const signal = AbortSignal.timeout(waitMaxMs);
  await capLinkLocks(context.database, session);
  for (;;) {
    const [row] = await sql<(LinkSessionRow & { callback_epoch: string })[]>`
      UPDATE link_sessions SET callback_epoch = callback_epoch + 1, callback_until = clock_timestamp() + make_interval(secs => ${(callsMs + storingMs) / 1000})
      WHERE session_id = ${session.sessionId} AND team_id = ${session.teamId} AND state <> 'success'
        AND (callback_until IS NULL OR callback_until < clock_timestamp())
      RETURNING *`;
    if (row) return { session: toLinkSession(row), epoch: row.callback_epoch };
    const [found] = await sql<{ state: string }[]>`SELECT state FROM link_sessions WHERE session_id = ${session.sessionId}`;
    if (!found) throw linkError('invalid_token', 'The link session of this token is gone');
    if (found.state === 'success') throw linkError('token_consumed', 'This link token has made its connection already');
    if (signal.aborted)
      throw new AppError({ code: 'link_busy', kind: 'unavailable', message: 'Another try of this link is at work', retryable: true });
    await sleep(pollMs, signal);
  }
}

/** Lets the next try begin, after this one failed. A turn that was lost meanwhile is left alone. */
export async function releaseLinkLock(context: LinkContext, lock: LinkLock): Promise<void> {
  await context.database.sql`
    UPDATE link_sessions SET callback_until = NULL WHERE session_id = ${lock.session.sessionId} AND callback_epoch = ${lock.epoch}`;
}

/**
 * Does the work of one try in its turn, with calls of at most `callsMs`. When it fails, the next one may begin; what succeeds ends
 * the turn with what it writes.
 */
export async function withLinkLock<T>(
  context: LinkContext,
  session: LinkSession,
  work: (lock: LinkLock) => Promise<T>,
  callsMs = usualCallsMs,
): Promise<T> {
  const lock = await acquireLinkLock(context, session, callsMs);
  try {
    return await work(lock);
  } catch (error) {
    await releaseLinkLock(context, lock);
    throw error;
  }
}
