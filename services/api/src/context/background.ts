import type { Logger } from '@pulsewire/kernel';

/** Short work that a request starts and does not wait for. */
export interface Background {
  /** Starts it; a failure is logged, and must be one that something else makes good later. */
  start(name: string, work: (signal: AbortSignal) => Promise<unknown>): void;
  /** Aborted when the process stops: requests that wait respond with what they have. */
  readonly signal: AbortSignal;
  /** Resolves when everything that was started has ended. */
  drain(): Promise<void>;
  /** Asks what is running to end soon. */
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
    stop: () => controller.abort(new Error('The API stops')),
  };
}
