import { errorCode, exponentialDelayMs, isAppError, sleep, withJitter } from '@pulsewire/kernel';
import type { ProviderAnswer, ProviderHttp } from '@pulsewire/providers';
import type { IngestContext } from '../context/context.ts';

const delayMaxMs = 5000;

/**
 * Repeats a read that failed for a passing reason, a few times and shortly after. Without it a window of many calls
 * would start again from its first call for one lost answer, and at a provider that fails now and then never reach its end.
 */
export function retryingHttp(
  http: ProviderHttp,
  { settings, random }: Pick<IngestContext, 'settings' | 'random'>,
  signal: AbortSignal,
): ProviderHttp {
  async function withRetries(read: () => Promise<ProviderAnswer>): Promise<ProviderAnswer> {
    for (let tries = 1; ; tries++) {
      try {
        return await read();
      } catch (error) {
        const isPassing = errorCode(error) === 'provider_transient' && isAppError(error) && error.retryAfterMs === undefined;
        if (!isPassing || tries >= settings.callTriesMax || signal.aborted) throw error;
        await sleep(withJitter(exponentialDelayMs(tries - 1, settings.callRetryMs, delayMaxMs), 0.5, random), signal);
      }
    }
  }
  return {
    ...http,
    get: (path, query, options) => withRetries(() => http.get(path, query, options)),
    post: (path, call) => (call?.isRead === true ? withRetries(() => http.post(path, call)) : http.post(path, call)),
  };
}
