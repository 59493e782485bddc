import { errorCode, sleep } from '@pulsewire/kernel';
import type { ProviderAnswer, ProviderHttp, QuotaState, PullLane } from '@pulsewire/providers';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import type { Deadline } from './deadline.ts';
import { pauseMs } from './judge-failure.ts';
import { applicationBudget, userBudget } from '../quota/budget-of.ts';
import type { BudgetKey } from '../quota/budget-state.ts';
import { quotaSpentError } from '../quota/quota-spent.ts';

/** What calls are made for. */
export interface GuardedWork {
  readonly lane: PullLane;
  readonly signal: AbortSignal;
  /** Stands still while a call waits for quota. */
  readonly deadline?: Pick<Deadline, 'hold'> | undefined;
}

/** One connection's way through the budgets that its calls count under. */
export interface QuotaPass {
  /** The same HTTP, each call made only with quota for it. Throws `provider_quota_spent` when there is none soon. */
  guard(http: ProviderHttp, work: GuardedWork): ProviderHttp;
  told(state: QuotaState): void;
  /** Calls made so far. */
  calls(lane: PullLane): number;
}

interface Refusal {
  readonly key: BudgetKey;
  readonly freeInMs: number;
}

const askAgainMs = 250;

/** Opens the pass of a connection, for as long as a tick lasts. */
export function openPass(
  { budgets, longWaits, settings }: Pick<IngestContext, 'budgets' | 'longWaits' | 'settings'>,
  { connection, connector }: Pullable,
): QuotaPass {
  const application = applicationBudget(connector, connection);
  const user = userBudget(connector, connection);
  const keys = [user, application].filter((key): key is BudgetKey => key !== null);
  const made: Record<PullLane, number> = { live: 0, backfill: 0 };

  let waitedMs = 0;

  /** Of the user first: what one user cannot use is not taken from the others. */
  async function tryEnter(lane: PullLane): Promise<Refusal | null> {
    for (const [index, key] of keys.entries()) {
      const permit = await budgets.take(key, lane);
      if (permit.isGranted) continue;
      for (const taken of keys.slice(0, index)) budgets.putBack(taken, lane);
      return { key, freeInMs: permit.freeInMs };
    }
    return null;
  }

  async function waitToEnter(first: Refusal, { lane, signal }: GuardedWork, waitMs: number): Promise<void> {
    const untilMs = Math.min(waitedMs + waitMs, settings.quotaWaitTotalMs);
    for (let refused: Refusal | null = first; refused !== null; refused = await tryEnter(lane)) {
      const delayMs = Math.max(askAgainMs, refused.freeInMs);
      if (waitedMs + delayMs > untilMs || signal.aborted) {
        throw quotaSpentError(refused.key.connectionId === null ? 'app' : 'user', refused.freeInMs, made[lane] > 0);
      }
      waitedMs += delayMs;
      await sleep(delayMs, signal);
    }
  }

  async function enter(work: GuardedWork, isStarted: boolean): Promise<void> {
    const refused = await tryEnter(work.lane);
    if (refused === null) return;
    // Who has begun waits longer: to go on later costs a turn, and its pages are written again.
    const isLongWait = isStarted && longWaits.take();
    const goOn = work.deadline?.hold();
    try {
      await waitToEnter(refused, work, isLongWait ? settings.quotaWaitStartedMs : settings.quotaWaitMs);
    } finally {
      goOn?.();
      if (isLongWait) longWaits.free();
    }
  }

  async function answered(error: unknown): Promise<void> {
    for (const key of keys) budgets.answered(key);
    const isLimited = errorCode(error) === 'provider_rate_limited';
    // Of a user only the user's connection waits, which the verdict on the window sees to.
    if (isLimited && application) await budgets.stop(application, pauseMs(error));
    for (const key of keys) await budgets.settle(key);
  }

  return {
    calls: (lane) => made[lane],
    told: (state) => {
      for (const key of keys) budgets.told(key, [state]);
    },
    guard(http, work) {
      if (keys.length === 0) return http;
      let isStarted = false;
      const guarded = async (call: () => Promise<ProviderAnswer>): Promise<ProviderAnswer> => {
        await enter(work, isStarted);
        isStarted = true;
        made[work.lane] += 1;
        let answer: ProviderAnswer;
        try {
          answer = await call();
        } catch (error) {
          await answered(error);
          throw error;
        }
        await answered(undefined);
        return answer;
      };
      return {
        get: (...args) => guarded(() => http.get(...args)),
        post: (...args) => guarded(() => http.post(...args)),
        put: (...args) => guarded(() => http.put(...args)),
        delete: (...args) => guarded(() => http.delete(...args)),
      };
    },
  };
}
