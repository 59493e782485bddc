import { errorCode, exponentialDelayMs, isAppError, withJitter } from '@pulsewire/kernel';
import { readSpent } from '../quota/quota-spent.ts';
import type { IngestSettings } from '../context/context.ts';
import { exceedsQuota } from '../window/transitions.ts';

/** The consequence of a failed run (error classes: `ProviderErrorCode` of the connector kit). */
export type Verdict =
  /** The window waits and runs again; others continue. */
  | { readonly kind: 'retry'; readonly errorCode: string; readonly delayMs: number }
  | { readonly kind: 'give_up'; readonly errorCode: string }
  /** The whole connection waits; the run does not count. */
  | { readonly kind: 'pause'; readonly errorCode: string; readonly delayMs: number }
  /** No quota is left: the lane waits for a turn of the application's quota, or until the user's quota is free. The run does not count. */
  | {
      readonly kind: 'wait';
      readonly errorCode: string;
      readonly scope: 'app' | 'user';
      readonly isInterrupted: boolean;
      readonly delayMs: number;
    }
  /** The user revoked the consent: the connection ends. */
  | { readonly kind: 'revoked' }
  /** The provider has shut its interface down: the connection ends. */
  | { readonly kind: 'discontinued' }
  /** The connection can no longer be used; its status already shows it. */
  | { readonly kind: 'stop' }
  /** The run was interrupted: the window is restored. */
  | { readonly kind: 'hand_back' }
  /** Another worker has the window: write nothing. */
  | { readonly kind: 'lost' };

const pauseDefaultMs = 60_000;
const pauseMinMs = 1000;
const pauseMaxMs = 24 * 3_600_000;
const accountStateDelayMs = 6 * 3_600_000;
/** After the first failure, then twice, three times as long and so on, up to the delay for the state of an account. */
const configurationDelayMs = 3_600_000;
/** A shutdown ends the connection, so the provider must repeat it after this time. */
const discontinuedDelayMs = 3_600_000;

export interface Judgement {
  readonly error: unknown;
  /** Consecutive runs of this window, the failed one included. */
  readonly attempts: number;
  /** The process stops or the lease is lost. */
  readonly isStopping: boolean;
  /** The provider may be failing as a whole, so a transient failure does not show that this window can never be read. */
  readonly mayBeOutage: boolean;
  /** The provider has repeated that it has shut down. */
  readonly isShutDown: boolean;
  /** Returns 0..1. */
  readonly random: () => number;
}

/** How long to pause after a 429 or while no token is available: as long as the provider requested, else a minute. */
export function pauseMs(error: unknown): number {
  const requested = isAppError(error) ? error.retryAfterMs : undefined;
  return Math.min(pauseMaxMs, Math.max(pauseMinMs, requested ?? pauseDefaultMs));
}

/** Decides the consequence of a failed run for its window and its connection. */
export function judgeFailure(
  settings: IngestSettings,
  { error, attempts, isStopping, mayBeOutage, isShutDown, random }: Judgement,
): Verdict {
  const code = errorCode(error);
  if (code === 'window_lost') return { kind: 'lost' };
  if (isStopping) return { kind: 'hand_back' };
  const spent = readSpent(error);
  if (spent)
    return {
      kind: 'wait',
      errorCode: code,
      scope: spent.scope,
      isInterrupted: spent.isInterrupted,
      delayMs: Math.min(pauseMaxMs, spent.freeInMs),
    };
  if (code === 'provider_consent_revoked') return { kind: 'revoked' };
  if (isShutDown) return { kind: 'discontinued' };
  if (code === 'provider_rate_limited') return { kind: 'pause', errorCode: code, delayMs: pauseMs(error) };
  if (code === 'provider_scope_missing' || code === 'provider_permanent' || code === exceedsQuota)
    return { kind: 'give_up', errorCode: code };
  const isWaiting = mayBeOutage && (code === 'provider_transient' || code === 'provider_configuration');
  if (attempts >= (isWaiting ? settings.outageAttemptsMax : settings.attemptsMax)) return { kind: 'give_up', errorCode: code };
  if (code === 'provider_discontinued') return { kind: 'retry', errorCode: code, delayMs: discontinuedDelayMs };
  if (code === 'provider_configuration')
    return { kind: 'retry', errorCode: code, delayMs: Math.min(accountStateDelayMs, attempts * configurationDelayMs) };
  if (code === 'provider_account_state') return { kind: 'retry', errorCode: code, delayMs: accountStateDelayMs };
  const backoffMs = withJitter(exponentialDelayMs(attempts - 1, settings.retryBaseMs, settings.retryMaxMs), 0.2, random);
  const requestedMs = isAppError(error) ? (error.retryAfterMs ?? 0) : 0;
  return { kind: 'retry', errorCode: code, delayMs: Math.min(pauseMaxMs, Math.max(backoffMs, requestedMs)) };
}
