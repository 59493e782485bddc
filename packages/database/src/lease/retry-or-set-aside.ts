import { errorCode, exponentialDelayMs, isAppError, withJitter } from '@pulsewire/kernel';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Executor } from '../client.ts';
import type { LeaseQueue } from './lease-queue.ts';
import type { RowOf, Values } from './lease-table.ts';

/** When failed work is attempted again, and when no more. */
export interface RetryPolicy {
  /** Attempts after which it is set aside; null: never. */
  readonly attemptsMax: number | null;
  /** Delay before the second attempt; doubles with each, up to `backoffMaxMs`. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
}

export interface Failure<T extends PgTable> {
  readonly row: RowOf<T>;
  /** Attempts at the row, this one included. */
  readonly attempts: number;
  readonly error: unknown;
  /** An attempt can never succeed. */
  readonly isFinal?: boolean;
  /** The next attempt is not later than this. */
  readonly delayMaxMs?: number;
  /** Values of a row that is set aside, instead of no due time. */
  readonly setAside?: Values<T>;
}

/**
 * Ends the lease of a failed attempt: the row is due again after a delay, or it is set aside with the reason. A delay that the error names
 * (Retry-After) takes precedence.
 */
export async function retryOrSetAside<T extends PgTable>(
  queue: LeaseQueue<T>,
  executor: Executor,
  { attemptsMax, backoffMs, backoffMaxMs }: RetryPolicy,
  { row, attempts, error, isFinal = false, delayMaxMs = Number.POSITIVE_INFINITY, setAside }: Failure<T>,
): Promise<'retried' | 'set_aside' | 'lost'> {
  const code = errorCode(error);
  if (isFinal || (attemptsMax !== null && attempts >= attemptsMax))
    return (await queue.setAside(executor, row, code, setAside)) ? 'set_aside' : 'lost';
  const usualMs = withJitter(exponentialDelayMs(attempts - 1, backoffMs, backoffMaxMs), 0.2);
  const delayMs = isAppError(error) ? (error.retryAfterMs ?? usualMs) : usualMs;
  return (await queue.retryLater(executor, row, Math.max(0, Math.min(delayMs, delayMaxMs)), code)) ? 'retried' : 'lost';
}
