import { systemClock } from '@pulsewire/kernel';

/** A time limit that excludes pauses. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Pauses the deadline until the returned function is called; with several holds, until the last is released. */
  hold(): () => void;
  clear(): void;
}

/** Aborts with `error` after `ms` of work. Timers run by the real clock, so this does too. */
export function openDeadline(ms: number, error: Error): Deadline {
  const controller = new AbortController();
  let leftMs = ms;
  let startedMs = 0;
  let holds = 0;
  let isCleared = false;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    startedMs = systemClock.monotonicMs();
    timer = setTimeout(() => controller.abort(error), Math.max(0, leftMs));
  }
  function stop(): void {
    clearTimeout(timer);
    leftMs -= systemClock.monotonicMs() - startedMs;
  }

  start();
  return {
    signal: controller.signal,
    hold() {
      if (holds === 0) stop();
      holds += 1;
      return () => {
        holds -= 1;
        if (holds === 0 && !isCleared) start();
      };
    },
    clear() {
      isCleared = true;
      clearTimeout(timer);
    },
  };
}
