import { sleep, type Clock, type Logger } from '@pulsewire/kernel';

const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type StopSignal = keyof typeof signalExitCodes;

// One Ctrl-C reaches a process up to three times: from the terminal, from npm and from the parent process.
const sameRequestMs = 1000;

export interface ShutdownOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** How long to go on after a signal to stop, announced as not ready, before the drain begins. */
  delayMs(): number;
  graceMs(): number;
  /** Stops everything that was started; called once. */
  drain(): Promise<void>;
}

export interface Shutdown {
  /** Aborts on the first request to stop. */
  readonly signal: AbortSignal;
  /** Drains, then ends the process with the exit code of the first request. */
  request(reason: string, exitCode: number): void;
  /** Begins as on a signal to stop, with the delay; without effect when the process is stopping. */
  onSignal(reason: string): void;
  /** Settles when the drain is complete. */
  readonly finished: Promise<void>;
}

/**
 * Handles SIGINT, SIGTERM, unhandled rejections and uncaught exceptions by an orderly shutdown:
 * abort, wait for `delayMs` after a signal, drain, exit. When the grace time is over, or on a second signal, the process is killed.
 */
export function createShutdown({ logger, clock, delayMs, graceMs, drain }: ShutdownOptions): Shutdown {
  const controller = new AbortController();
  const finished = Promise.withResolvers<void>();
  let requestedAtMs: number | undefined;

  const endByForce = (reason: string, exitCode: number) => {
    logger.error({ reason, open: process.getActiveResourcesInfo() }, 'process.killed');
    process.exit(exitCode);
  };

  const runDrain = async (exitCode: number, waitMs: number) => {
    process.exitCode = exitCode;
    if (waitMs > 0) await sleep(waitMs);
    const force = setTimeout(() => endByForce('grace time is over', exitCode === 0 ? 1 : exitCode), graceMs());
    try {
      await drain();
      logger.info({}, 'process.stopped');
    } catch (error) {
      process.exitCode = exitCode === 0 ? 1 : exitCode;
      logger.error({ error }, 'process.drain_failed');
    }
    clearTimeout(force);
    finished.resolve();
    // After a complete drain only idle sockets can keep the event loop alive, so there is nothing to wait for.
    setTimeout(() => process.exit(), 250).unref();
  };

  const begin = (reason: string, exitCode: number, waitMs: number) => {
    if (requestedAtMs !== undefined) return;
    requestedAtMs = clock.monotonicMs();
    logger.info({ reason, ...(waitMs > 0 && { drainDelayMs: waitMs }) }, 'process.stopping');
    controller.abort(new Error(`The process is stopping: ${reason}`));
    void runDrain(exitCode, waitMs);
  };
  // A process that stops by itself may no longer work, so it does not accept more requests.
  const request = (reason: string, exitCode: number) => begin(reason, exitCode, 0);

  const onSignal = (signal: StopSignal) => {
    if (requestedAtMs === undefined) return begin(signal, 0, delayMs());
    if (clock.monotonicMs() - requestedAtMs >= sameRequestMs) endByForce(`second ${signal}`, signalExitCodes[signal]);
  };
  const onCrash = (error: unknown) => {
    logger.error({ error }, 'process.crashed');
    request('crash', 1);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
  return { signal: controller.signal, request, onSignal: (reason) => begin(reason, 0, delayMs()), finished: finished.promise };
}
