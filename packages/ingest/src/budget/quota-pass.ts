import { errorCode, sleep } from '@pulsewire/kernel';
import type { ProviderAnswer, ProviderHttp, QuotaState } from '@pulsewire/providers';
import type { IngestSettings } from '../context.ts';
import type { Lane } from '../plan/insert-windows.ts';
import type { Pullable } from '../plan/pullable.ts';
import { pauseMs } from '../run/judge-failure.ts';
import { applicationBudget, userBudget } from './budget-of.ts';
import type { BudgetKey } from './budget-state.ts';
import type { Budgets } from './budgets.ts';
import { quotaSpentError } from './quota-spent.ts';

/** One connection's way through the budgets that its calls count under. */
export interface QuotaPass {
  /** The same HTTP, each call made only with quota for it. Throws `provider_quota_spent` when there is none soon. */
  guard(http: ProviderHttp, lane: Lane, signal: AbortSignal): ProviderHttp;
  told(state: QuotaState): void;
  /** Calls made so far. */
  calls(lane: Lane): number;
}

const askAgainMs = 250;

/** Opens the pass of a connection, for as long as a tick lasts. */
export function openPass(
  budgets: Budgets,
  settings: Pick<IngestSettings, 'quotaWaitMs' | 'quotaWaitStartedMs'>,
  { connection, connector }: Pullable,
): QuotaPass {
  const application = applicationBudget(connector, connection);
  const user = userBudget(connector, connection);
  const keys = [user, application].filter((key): key is BudgetKey => key !== null);
  const made: Record<Lane, number> = { live: 0, backfill: 0 };

  /** Of the user first: what one user cannot use is not taken from the others. */
  async function tryEnter(lane: Lane): Promise<{ readonly key: BudgetKey; readonly freeInMs: number } | null> {
    for (const [index, key] of keys.entries()) {
      const permit = await budgets.take(key, lane);
      if (permit.isGranted) continue;
      for (const taken of keys.slice(0, index)) budgets.putBack(taken, lane);
      return { key, freeInMs: permit.freeInMs };
    }
    return null;
  }

  async function enter(lane: Lane, signal: AbortSignal, waitMs: number): Promise<void> {
    for (let waitedMs = 0; ;) {
      const refused = await tryEnter(lane);
      if (refused === null) return;
      const delayMs = Math.max(askAgainMs, refused.freeInMs);
      if (waitedMs + delayMs > waitMs || signal.aborted) {
        throw quotaSpentError(refused.key.connectionId === null ? 'app' : 'user', refused.freeInMs, made[lane] > 0);
      }
      await sleep(delayMs, signal);
      waitedMs += delayMs;
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
    guard(http, lane, signal) {
      if (keys.length === 0) return http;
      let isStarted = false;
      const guarded = async (call: () => Promise<ProviderAnswer>): Promise<ProviderAnswer> => {
        // Who has begun waits longer: what broke off is read again from its first call.
        await enter(lane, signal, isStarted ? settings.quotaWaitStartedMs : settings.quotaWaitMs);
        isStarted = true;
        made[lane] += 1;
        try {
          const answer = await call();
          await answered(undefined);
          return answer;
        } catch (error) {
          await answered(error);
          throw error;
        }
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
