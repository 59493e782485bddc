import { createHmac, randomUUID } from 'node:crypto';
import { and, count, eq, gt, min, ne } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { run, takeLock } from '@pulsewire/database';
import type { LinkContext } from '../../context/context.ts';
import { loginAttempts } from '../../model/tables.ts';

/** How long an attempt counts. */
export const attemptWindowMs = 15 * 60_000;

/** Attempts within the window: far more than a user needs, far fewer than guessing needs. */
const attemptsMax = {
  password: { account: 10, user: 20 },
  code: { account: 20, user: 30 },
} as const;

export interface LoginAttempt {
  readonly kind: keyof typeof attemptsMax;
  readonly provider: string;
  readonly username: string;
  readonly userId: string;
}

interface Counted {
  readonly key: Buffer;
  readonly max: number;
}

/** Equivalent spellings of a user name have the same key; the key does not reveal the name. */
function limitedKeys({ linkTokenSecret }: LinkContext, { kind, provider, username, userId }: LoginAttempt): readonly [Counted, Counted] {
  const hash = (...parts: readonly string[]) =>
    createHmac('sha256', linkTokenSecret)
      .update(JSON.stringify(['login attempt', kind, ...parts]))
      .digest();
  const account = hash('account', provider, username.normalize('NFKC').trim().toLowerCase());
  return [
    { key: account, max: attemptsMax[kind].account },
    { key: hash('user', userId), max: attemptsMax[kind].user },
  ];
}

function tooMany(waitMs: number): AppError {
  return new AppError({
    code: 'too_many_attempts',
    kind: 'rate_limited',
    message: 'Too many sign-in attempts for this account or user; retry later',
    retryable: true,
    retryAfterMs: Math.max(1000, waitMs),
  });
}

/**
 * Counts an attempt for the account at the provider, across teams, and for the user, and then runs it. The attempt is not counted when
 * `isSpent` returns false for its result or error (a success, a failure of the provider). Throws AppError `too_many_attempts` (429) with
 * the time to wait, before the provider is called.
 */
export async function withAttemptLimit<Outcome>(
  context: LinkContext,
  attempt: LoginAttempt,
  work: () => Promise<Outcome>,
  isSpent: (result: { readonly outcome: Outcome } | { readonly error: unknown }) => boolean,
): Promise<Outcome> {
  const counted = limitedKeys(context, attempt);
  const attemptId = randomUUID();
  await admit(context, counted, attemptId);
  try {
    const outcome = await work();
    if (!isSpent({ outcome })) await uncount(context, counted, attemptId);
    return outcome;
  } catch (error) {
    if (!isSpent({ error })) await uncount(context, counted, attemptId);
    throw error;
  }
}

// The caller chose the id, so a transaction whose COMMIT got no response can run again without counting twice.
async function admit({ database, clock, metrics }: LinkContext, counted: readonly Counted[], attemptId: string): Promise<void> {
  const nowMs = clock.now().getTime();
  const since = new Date(nowMs - attemptWindowMs);
  const waitMs = await database.transaction(async (tx) => {
    // Always the account before the user, so that two attempts cannot deadlock.
    for (const { key } of counted) await takeLock(tx, 'named', key.toString('hex'));
    let longestMs = 0;
    for (const { key, max } of counted) {
      const isCounted = and(eq(loginAttempts.key, key), gt(loginAttempts.attemptedAt, since), ne(loginAttempts.attemptId, attemptId));
      const oldest = min(loginAttempts.attemptedAt);
      const [found] = await run(tx.orm.select({ attempts: count(), oldest }).from(loginAttempts).where(isCounted));
      if (found && found.attempts >= max)
        longestMs = Math.max(longestMs, 1000, (found.oldest?.getTime() ?? nowMs) + attemptWindowMs - nowMs);
    }
    if (longestMs > 0) return longestMs;
    for (const { key } of counted)
      await run(
        tx.orm
          .insert(loginAttempts)
          .values({ key, attemptId, attemptedAt: new Date(nowMs) })
          .onConflictDoNothing(),
      );
    return 0;
  });
  if (waitMs === 0) return;
  metrics.count('login_attempts_refused_total', {});
  throw tooMany(waitMs);
}

async function uncount({ database, logger }: LinkContext, counted: readonly Counted[], attemptId: string): Promise<void> {
  try {
    for (const { key } of counted)
      await run(database.orm.delete(loginAttempts).where(and(eq(loginAttempts.key, key), eq(loginAttempts.attemptId, attemptId))));
  } catch (error) {
    // The attempt counts for fifteen minutes; the user waits for the outcome.
    logger.warn({ error }, 'link.attempt_delete_failed');
  }
}
