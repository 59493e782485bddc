import { errorCode, exponentialDelayMs, sleep, withJitter, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';

/** The reaction to a failed worker. */
export type FailurePolicy = 'restart' | 'exit';

/** A part of a process that runs until it is stopped. */
export interface Worker {
  readonly name: string;
  /** Runs until the signal aborts, then drains and resolves. Its dependencies are created in `start`. */
  run(signal: AbortSignal): Promise<void>;
  /** After a failure: restart it with backoff (the default), or stop the whole process; a function can decide by the error. */
  readonly onFailure?: FailurePolicy | ((error: unknown) => FailurePolicy);
}

export type WorkerState = 'running' | 'restarting' | 'failed' | 'stopping' | 'stopped';

export interface WorkerHealth {
  readonly name: string;
  readonly state: WorkerState;
  readonly restarts: number;
  /** Code of the last failure, or null. */
  readonly lastError: string | null;
}

export interface Supervisor {
  health(): readonly WorkerHealth[];
  /** Stops the workers one after the other in reverse order; resolves when all have drained. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly workers: readonly Worker[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** A worker with `onFailure: 'exit'` has failed. */
  onFatal(workerName: string, error: unknown): void;
  /** Delay before the first restart; doubles with each failure in a row up to `restartDelayMaxMs`. */
  readonly restartDelayMs?: number;
  readonly restartDelayMaxMs?: number;
}

// A worker that ran for this long had recovered, so its next failure counts as the first again.
const recoveredAfterMs = 60_000;

interface Supervised {
  readonly worker: Worker;
  readonly controller: AbortController;
  state: WorkerState;
  restarts: number;
  lastError: string | null;
  finished: Promise<void>;
}

async function runOnce({ worker, controller }: Supervised): Promise<void> {
  await worker.run(controller.signal);
  if (!controller.signal.aborted) throw new Error(`Worker ${worker.name} ended unexpectedly`);
}

async function keepRunning(entry: Supervised, options: SupervisorOptions): Promise<void> {
  const { worker, controller } = entry;
  const { signal } = controller;
  let failuresInARow = 0;
  while (!signal.aborted) {
    const startedMs = options.clock.monotonicMs();
    try {
      entry.state = 'running';
      await runOnce(entry);
    } catch (error) {
      entry.lastError = errorCode(error);
      options.logger.error({ worker: worker.name, restarts: entry.restarts, error }, 'worker.failed');
      if (signal.aborted) break;
      const policy = typeof worker.onFailure === 'function' ? worker.onFailure(error) : worker.onFailure;
      if (policy === 'exit') {
        entry.state = 'failed';
        options.onFatal(worker.name, error);
        return;
      }
      if (options.clock.monotonicMs() - startedMs >= recoveredAfterMs) failuresInARow = 0;
      entry.state = 'restarting';
      entry.restarts += 1;
      options.metrics.count('worker_restarts_total', { worker: worker.name });
      const delayMs = exponentialDelayMs(failuresInARow, options.restartDelayMs ?? 500, options.restartDelayMaxMs ?? 30_000);
      failuresInARow += 1;
      await sleep(withJitter(delayMs, 0.2), signal);
    }
  }
  entry.state = 'stopped';
}

/** Runs the workers concurrently, restarts failed ones, and reports the health of each. */
export function supervise(options: SupervisorOptions): Supervisor {
  const entries = options.workers.map((worker): Supervised => {
    const entry: Supervised = {
      worker,
      controller: new AbortController(),
      state: 'running',
      restarts: 0,
      lastError: null,
      finished: Promise.resolve(),
    };
    entry.finished = keepRunning(entry, options);
    return entry;
  });
  return {
    health: () => entries.map(({ worker, state, restarts, lastError }) => ({ name: worker.name, state, restarts, lastError })),
    async stop() {
      for (const entry of entries.toReversed()) {
        if (entry.state === 'running' || entry.state === 'restarting') entry.state = 'stopping';
        entry.controller.abort(new Error('The process is stopping'));
        await entry.finished;
        entry.state = 'stopped';
        options.logger.debug({ worker: entry.worker.name }, 'worker.stopped');
      }
    },
  };
}
