import { AppError, type Clock } from '@pulsewire/kernel';

/** Batches of one user that are received at the same time. */
const atOnceMax = 2;
/** Requests of one user per second on average, and at once after a pause. */
const [perSecond, burst] = [5, 100];
/** Users whose requests are remembered; those that paused long enough are forgotten first. */
const usersMax = 10_000;

/** Limits what one phone may send to a process, so that one person does not stop a team. */
export interface PhoneLimits {
  /** Runs the work of a user's request. Throws AppError `phone_busy` (503, after which phones keep their data) beyond the limits. */
  run<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

function busy(retryAfterMs: number): AppError {
  const message = 'This phone sends too much at once; send it again later';
  return new AppError({ code: 'phone_busy', kind: 'unavailable', message, retryable: true, retryAfterMs });
}

interface Usage {
  running: number;
  tokens: number;
  atMs: number;
}

export function createPhoneLimits(clock: Pick<Clock, 'monotonicMs'>): PhoneLimits {
  // In the order of last use.
  const usages = new Map<string, Usage>();

  function forgetPaused(nowMs: number): void {
    for (const [userId, { running, atMs }] of usages) {
      if (usages.size <= usersMax && nowMs - atMs < (burst / perSecond) * 1000) return;
      if (running === 0) usages.delete(userId);
    }
  }

  function usageOf(userId: string): Usage {
    const nowMs = clock.monotonicMs();
    const { running, tokens, atMs } = usages.get(userId) ?? { running: 0, tokens: burst, atMs: nowMs };
    const usage = { running, tokens: Math.min(burst, tokens + ((nowMs - atMs) / 1000) * perSecond), atMs: nowMs };
    usages.delete(userId);
    forgetPaused(nowMs);
    usages.set(userId, usage);
    return usage;
  }

  return {
    async run(userId, work) {
      const before = usageOf(userId);
      if (before.running >= atOnceMax) throw busy(1000);
      if (before.tokens < 1) throw busy(Math.ceil(((1 - before.tokens) / perSecond) * 1000));
      before.tokens -= 1;
      before.running += 1;
      try {
        return await work();
      } finally {
        // Another request may have replaced the object meanwhile.
        const usage = usages.get(userId);
        if (usage) usage.running -= 1;
      }
    },
  };
}
