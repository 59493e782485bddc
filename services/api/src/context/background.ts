import type { Logger } from '@pulsewire/kernel';

/** Short work that a request starts and does not wait for. */
export interface Background {
  /** Starts the work; a failure is only logged, so something else must repair it later. */
  start(name: string, work: (signal: AbortSignal) => Promise<unknown>): void;
  /** Aborts when the process stops, so that waiting requests respond with the state so far. */
  readonly signal: AbortSignal;
  /** Resolves when everything that was started has ended. */
  drain(): Promise<void>;
  /** Makes running work end soon. */
  stop(): void;
}

export function createBackground(logger: Logger): Background {
  const running = new Set<Promise<unknown>>();
  const controller = new AbortController();
  return {
    signal: controller.signal,
    start(name, work) {
      const task: Promise<unknown> = work(controller.signal)
        .catch((error: unknown) => logger.warn({ task: name, error }, 'background.failed'))
        .finally(() => running.delete(task));
      running.add(task);
    },
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
    stop: () => controller.abort(new Error('The API is stopping')),
  };
}
