import { run, type Executor } from '@pulsewire/database';
import { AppError, sleep } from '@pulsewire/kernel';
import { and, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { LinkContext } from '../../context/context.ts';
import { linkError } from './link-error.ts';
import { toLinkSession, type LinkSession } from './session.ts';
import { linkSessions } from '../../model/tables.ts';

/** Time for all calls of an attempt, unless the provider needs more. */
const usualCallsMs = 30_000;
/** A lock lasts this much longer; a crashed process blocks the session no longer than that. */
const storingMs = 15_000;
const waitMaxMs = 30_000;
const pollMs = 50;

/** No lock is this long: one that ends later was given by a clock that was ahead. */
const lockSecondsMax = 600;

/** Enough for the longest calls and for storing their result. */
const lockSecondsLeft = 120;

/** By the database's clock, which all processes share. */
const inSeconds = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/** Shortens locks of a user's sessions that a jump of the database's clock has extended, to what their holders may still need. */
export async function capLinkLocks({ orm }: Executor, { userId, teamId }: Pick<LinkSession, 'userId' | 'teamId'>): Promise<void> {
  const isOfUser = and(eq(linkSessions.userId, userId), eq(linkSessions.teamId, teamId));
  const isTooLong = gt(linkSessions.callbackUntil, inSeconds(lockSecondsMax));
  await run(
    orm
      .update(linkSessions)
      .set({ callbackUntil: inSeconds(lockSecondsLeft) })
      .where(and(isOfUser, isTooLong)),
  );
}

/** The lock of a session; `session` is its state when the lock was acquired. */
export interface LinkLock {
  readonly session: LinkSession;
  /** Fences off holders whose lock has expired. */
  readonly epoch: bigint;
}

/**
 * Waits until no other attempt holds the session, and locks it: a code can be exchanged only once, so two concurrent attempts must not both
 * call the provider. Throws a link error `token_consumed` when the other attempt created the connection, and AppError `link_busy` when it
 * takes too long.
 */
async function acquireLinkLock(context: LinkContext, session: LinkSession, callsMs: number): Promise<LinkLock> {
  const { orm } = context.database;
  const { state, callbackEpoch, callbackUntil } = linkSessions;
  const isSession = and(eq(linkSessions.sessionId, session.sessionId), eq(linkSessions.teamId, session.teamId));
  const isFree = or(isNull(callbackUntil), lt(callbackUntil, sql`clock_timestamp()`));
  const signal = AbortSignal.timeout(waitMaxMs);
  await capLinkLocks(context.database, session);
  for (;;) {
    const [row] = await run(
      orm
        .update(linkSessions)
        .set({ callbackEpoch: sql`${callbackEpoch} + 1`, callbackUntil: inSeconds((callsMs + storingMs) / 1000) })
        .where(and(isSession, ne(state, 'success'), isFree))
        .returning(),
    );
    if (row) return { session: toLinkSession(row), epoch: row.callbackEpoch };
    const [found] = await run(orm.select({ state }).from(linkSessions).where(isSession));
    if (!found) throw linkError('invalid_token', 'The link session of this token no longer exists');
    if (found.state === 'success') throw linkError('token_consumed', 'This link token has already created its connection');
    if (signal.aborted)
      throw new AppError({
        code: 'link_busy',
        kind: 'unavailable',
        message: 'Another attempt on this link is in progress',
        retryable: true,
      });
    await sleep(pollMs, signal);
  }
}

/** Matches the session while this lock is held. */
export const isLockedBy = ({ session, epoch }: LinkLock) =>
  and(eq(linkSessions.sessionId, session.sessionId), eq(linkSessions.teamId, session.teamId), eq(linkSessions.callbackEpoch, epoch));

/** Lets the next attempt start after this one failed. A lock that has expired and is held by another attempt stays. */
export async function releaseLinkLock(context: LinkContext, lock: LinkLock): Promise<void> {
  await run(context.database.orm.update(linkSessions).set({ callbackUntil: null }).where(isLockedBy(lock)));
}

/**
 * Runs one attempt under the lock of its session, with calls of at most `callsMs`. When it fails, the lock is released; an attempt that
 * succeeds releases it with what it stores.
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
