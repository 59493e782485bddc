import { errorCode, exponentialDelayMs, isAppError, sleep, withJitter } from '@pulsewire/kernel';
import type { ProviderResponse, ProviderSend, PullLane, QuotaState } from '@pulsewire/providers';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { applicationBudget, userBudget } from '../quota/budget-of.ts';
import type { BudgetKey } from '../quota/budget-state.ts';
import { quotaSpentError } from '../quota/quota-spent.ts';
import type { Deadline } from './deadline.ts';
import { pauseMs } from './judge-failure.ts';

/** The purpose of calls. */
export interface CallPurpose {
  readonly lane: PullLane;
  readonly signal: AbortSignal;
  /** Paused while a call waits for quota. */
  readonly deadline?: Pick<Deadline, 'hold'> | undefined;
}

/** The calls of one connection during a session, and the budgets that they count against. */
export interface ProviderCalls {
  /**
   * The same calls, each made only with quota; reads that fail transiently are retried a few times. Otherwise one lost response would
   * restart a window of many calls. Throws `provider_quota_spent` when no quota is free soon.
   */
  limited(send: ProviderSend, purpose: CallPurpose): ProviderSend;
  /** Handles a quota reported by a response. */
  recordQuota(state: QuotaState): void;
  /** Calls made so far. */
  count(lane: PullLane): number;
}

interface Refusal {
  readonly key: BudgetKey;
  readonly freeInMs: number;
}

const retryDelayMinMs = 250;
const retryDelayMaxMs = 5000;

/** Opens the calls of a connection. */
export function openProviderCalls(
  { budgets, longWaits, settings, random }: Pick<IngestContext, 'budgets' | 'longWaits' | 'settings' | 'random'>,
  { connection, connector }: Pullable,
): ProviderCalls {
  const application = applicationBudget(connector, connection);
  // The user's budget first: a call that one user may not make must not use the application's quota.
  const keys = [userBudget(connector, connection), application].filter((key): key is BudgetKey => key !== null);
  const made: Record<PullLane, number> = { live: 0, backfill: 0 };
  let waitedMs = 0;

  async function takeQuota(lane: PullLane): Promise<Refusal | null> {
    for (const [index, key] of keys.entries()) {
      const permit = await budgets.take(key, lane);
      if (permit.isGranted) continue;
      for (const taken of keys.slice(0, index)) budgets.putBack(taken, lane);
      return { key, freeInMs: permit.freeInMs };
    }
    return null;
  }

  async function waitForQuota(first: Refusal, { lane, signal, deadline }: CallPurpose, isStarted: boolean): Promise<void> {
    // A session that has started waits longer: resuming later costs a turn and writes its pages again.
    const isLongWait = isStarted && longWaits.take();
    const untilMs = Math.min(waitedMs + (isLongWait ? settings.quotaWaitStartedMs : settings.quotaWaitMs), settings.quotaWaitTotalMs);
    const resume = deadline?.hold();
    try {
      for (let refused: Refusal | null = first; refused !== null; refused = await takeQuota(lane)) {
        const delayMs = Math.max(retryDelayMinMs, refused.freeInMs);
        if (waitedMs + delayMs > untilMs || signal.aborted)
          throw quotaSpentError(refused.key.connectionId === null ? 'app' : 'user', refused.freeInMs, made[lane] > 0);
        waitedMs += delayMs;
        await sleep(delayMs, signal);
      }
    } finally {
      resume?.();
      if (isLongWait) longWaits.free();
    }
  }

  async function recordEnd(error?: unknown): Promise<void> {
    for (const key of keys) budgets.callEnded(key);
    // A spent user's quota delays only the user's connection; the verdict on the window handles that.
    if (application && errorCode(error) === 'provider_rate_limited') await budgets.stop(application, pauseMs(error));
    for (const key of keys) await budgets.settle(key);
  }

  return {
    count: (lane) => made[lane],
    recordQuota(state) {
      for (const key of keys) budgets.reported(key, [state]);
    },
    limited(send, purpose) {
      const { lane, signal } = purpose;
      let isStarted = false;
      return async function sendLimited(method, path, call): Promise<ProviderResponse> {
        for (let attempt = 1; ; attempt++) {
          const refused = await takeQuota(lane);
          if (refused) await waitForQuota(refused, purpose, isStarted);
          isStarted = true;
          made[lane] += 1;
          let response: ProviderResponse;
          try {
            response = await send(method, path, call);
          } catch (error) {
            await recordEnd(error);
            const isRead = method === 'GET' || (method === 'POST' && call.isRead === true);
            if (!isRead || !isPlainTransient(error) || attempt >= settings.callAttemptsMax || signal.aborted) throw error;
            await sleep(withJitter(exponentialDelayMs(attempt - 1, settings.callRetryMs, retryDelayMaxMs), 0.5, random), signal);
            continue;
          }
          await recordEnd();
          return response;
        }
      };
    },
  };
}

function isPlainTransient(error: unknown): boolean {
  return isAppError(error) && error.code === 'provider_transient' && error.retryAfterMs === undefined;
}
