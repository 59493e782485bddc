import { takeLock } from '@pulsewire/database';
import { createHmac, randomUUID } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';
import type { LinkContext } from '../../context/context.ts';

/** An attempt counts for so long. */
export const attemptWindowMs = 15 * 60_000;

/** Attempts within the window: far more than a person needs, far fewer than guessing does. */
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

/** User names that a provider takes for the same have the same key; from the key nobody learns the name. */
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
    message: 'Too many sign-in attempts for this account or user; try again later',
    retryable: true,
    retryAfterMs: Math.max(1000, waitMs),
  });
}

/**
 * Counts an attempt for the account at the provider, whichever team asks, and for the user, and runs it. What `isSpent` says was no guess
 * (a success, a provider that failed) is not counted afterwards; what throws stays counted unless `isSpent` is false for the error.
 * Throws AppError `too_many_attempts` (429) with the time to wait, before the provider is asked.
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
    if (!isSpent({ outcome })) await forget(context, counted, attemptId);
    return outcome;
  } catch (error) {
    if (!isSpent({ error })) await forget(context, counted, attemptId);
    throw error;
  }
}

// The id comes from outside, so a transaction whose COMMIT was not answered may run again without counting twice.
async function admit({ database, clock, metrics }: LinkContext, counted: readonly Counted[], attemptId: string): Promise<void> {
  const nowMs = clock.now().getTime();
  const since = new Date(nowMs - attemptWindowMs).toISOString();
  const now = new Date(nowMs).toISOString();
  const waitMs = await database.transaction(async ({ sql }) => {
    // The account before the user, always: two attempts never wait for each other in a circle.
    for (const { key } of counted) await takeLock({ sql }, 'named', key.toString('hex'));
    let longestMs = 0;
    for (const { key, max } of counted) {
      const [found] = await sql<{ attempts: number; oldest_ms: number | null }[]>`
        SELECT count(*)::int AS attempts, (date_part('epoch', min(attempted_at)) * 1000)::float8 AS oldest_ms FROM login_attempts
        WHERE key = ${key} AND attempted_at > ${since} AND attempt_id <> ${attemptId}`;
      if (found && found.attempts >= max) longestMs = Math.max(longestMs, 1000, (found.oldest_ms ?? nowMs) + attemptWindowMs - nowMs);
    }
    if (longestMs > 0) return longestMs;
    for (const { key } of counted)
      await sql`INSERT INTO login_attempts (key, attempt_id, attempted_at) VALUES (${key}, ${attemptId}, ${now}) ON CONFLICT DO NOTHING`;
    return 0;
  });
  if (waitMs === 0) return;
  metrics.count('login_attempts_refused_total', {});
  throw tooMany(waitMs);
}

async function forget({ database, logger }: LinkContext, counted: readonly Counted[], attemptId: string): Promise<void> {
  try {
    for (const { key } of counted) await database.sql`DELETE FROM login_attempts WHERE key = ${key} AND attempt_id = ${attemptId}`;
  } catch (error) {
    // It counts for a quarter of an hour too long; the outcome is what the user waits for.
    logger.warn({ error }, 'link.attempt_not_forgotten');
  }
}
