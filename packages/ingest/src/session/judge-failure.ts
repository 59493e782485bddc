import { errorCode, exponentialDelayMs, isAppError, withJitter } from '@pulsewire/kernel';
import { readSpent } from '../quota/quota-spent.ts';
import type { IngestSettings } from '../context/context.ts';
import { exceedsQuota } from '../model/cut-codes.ts';

/** What follows from a failed run (reference of classes: the connector kit's `ProviderErrorCode`). */
export type Verdict =
  /** The window waits and runs again; others go on. */
  | { readonly kind: 'retry'; readonly errorCode: string; readonly delayMs: number }
  | { readonly kind: 'give_up'; readonly errorCode: string }
  /** The whole connection waits; the run does not count. */
  | { readonly kind: 'pause'; readonly errorCode: string; readonly delayMs: number }
  /** No quota is left: the lane waits, for the application's turn or until the user's quota is free. The run does not count. */
  | { readonly kind: 'wait'; readonly errorCode: string; readonly scope: 'app' | 'user'; readonly isCut: boolean; readonly delayMs: number }
  /** The user took the consent back: the connection ends. */
  | { readonly kind: 'revoked' }
  /** The connection cannot be used any more; its status already says so. */
  | { readonly kind: 'stop' }
  /** The run was interrupted: the window goes back as it was. */
  | { readonly kind: 'hand_back' }
  /** Another worker has the window: write nothing. */
  | { readonly kind: 'lost' };

const pauseDefaultMs = 60_000;
const pauseMinMs = 1000;
const pauseMaxMs = 24 * 3_600_000;
const accountStateDelayMs = 6 * 3_600_000;

export interface Judgement {
  readonly error: unknown;
  /** Runs of this window in a row, the failed one included. */
  readonly attempts: number;
  /** The process stops or the lease is gone. */
  readonly isStopping: boolean;
  /** Gives 0..1. */
  readonly random: () => number;
}

/** How long to stay away after a 429 or while no token is to be had: as long as the provider said, else a minute. */
export function pauseMs(error: unknown): number {
  const asked = isAppError(error) ? error.retryAfterMs : undefined;
  return Math.min(pauseMaxMs, Math.max(pauseMinMs, asked ?? pauseDefaultMs));
}

/** Decides what a failed run means for its window and its connection. */
export function judgeFailure(settings: IngestSettings, { error, attempts, isStopping, random }: Judgement): Verdict {
  const code = errorCode(error);
  if (code === 'window_lost') return { kind: 'lost' };
  if (isStopping) return { kind: 'hand_back' };
  const spent = readSpent(error);
  if (spent)
    return { kind: 'wait', errorCode: code, scope: spent.scope, isCut: spent.isCut, delayMs: Math.min(pauseMaxMs, spent.freeInMs) };
  if (code === 'provider_consent_revoked') return { kind: 'revoked' };
  if (code === 'provider_rate_limited') return { kind: 'pause', errorCode: code, delayMs: pauseMs(error) };
  if (code === 'provider_scope_missing' || code === 'provider_permanent' || code === exceedsQuota)
    return { kind: 'give_up', errorCode: code };
  if (attempts >= settings.attemptsMax) return { kind: 'give_up', errorCode: code };
  if (code === 'provider_account_state') return { kind: 'retry', errorCode: code, delayMs: accountStateDelayMs };
  const backoffMs = withJitter(exponentialDelayMs(attempts - 1, settings.retryBaseMs, settings.retryMaxMs), 0.2, random);
  const askedMs = isAppError(error) ? (error.retryAfterMs ?? 0) : 0;
  return { kind: 'retry', errorCode: code, delayMs: Math.min(pauseMaxMs, Math.max(backoffMs, askedMs)) };
}
