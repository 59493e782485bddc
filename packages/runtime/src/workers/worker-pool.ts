import cluster from 'node:cluster';
import { waitUntilAborted, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { Environment } from '../config/misnamed.ts';
import type { ReadinessCheck } from '../health/health.ts';
import { supervise, type Supervisor, type Worker, type WorkerHealth } from '../process/supervisor.ts';
import { assertReady, type PoolMember } from './pool-member.ts';
import { watchSilence } from './watch-silence.ts';
import { startWorkerProcess, workerError } from './worker-process.ts';

/** What worker processes are to run. */
export interface WorkerPlan {
  readonly count: number;
  /** File of their program; default: that of this process. */
  readonly program?: string;
  /** Variables whose values differ from those of this process. */
  readonly settings: Environment;
  /** What the program needs beside its settings; JSON. */
  readonly data?: unknown;
}

export interface WorkerPool {
  /** Runs until the signal aborts; then all worker processes drain at the same time. */
  readonly worker: Worker;
  /** One for each worker process: whether it is ready. */
  readonly checks: readonly ReadinessCheck[];
  health(): readonly WorkerHealth[];
  /** The metrics of every worker process that responds, in the text format of Prometheus. */
  expositions(): Promise<readonly string[]>;
  /** Ends what still runs. Throws AppError `worker_ended` when a worker process did not drain in time. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly silenceMaxMs: number;
  /** The longest that a worker process takes from the request to stop to its end. */
  readonly stopMaxMs: number;
  readonly healthPort: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Aborts on a request to stop, also while the worker processes start. */
  readonly signal: AbortSignal;
}

const metricsMaxMs = 1000;

/** Starts the worker processes; resolves when all have started. Throws the error of the first one that cannot start. */
export async function openWorkerPool(plan: WorkerPlan, options: PoolOptions): Promise<WorkerPool> {
  const { logger, metrics, clock, signal } = options;
  // The parent accepts and hands connections out in turn, one at a time: a blocked worker gets no more, and those kept alive are spread.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: plan.program ?? process.argv[1] ?? '', args: [] });
  const members = Array.from({ length: plan.count }, (_, index): PoolMember => {
    const number = index + 1;
    return { number, name: `worker_${number}`, current: null, isBlocked: false, endsAs: null };
  });
  const state = { hasStarted: false, isClean: true };
  const firstStarts = Promise.withResolvers<never>();
  firstStarts.promise.catch(() => {});
  const startsLeft = new Set(members);
  const allStarted = Promise.withResolvers<void>();
  const beatEveryMs = Math.min(1000, options.silenceMaxMs / 4);

  const run = async (member: PoolMember, stopSignal: AbortSignal) => {
    member.endsAs = null;
    member.isBlocked = false;
    const { number } = member;
    const { settings, data = null, count } = plan;
    const child = startWorkerProcess({ number, count, settings, data, healthPort: options.healthPort, beatEveryMs }, clock);
    member.current = child;
    logger.info({ workerNumber: number, workerPid: child.pid }, 'worker_process.forked');
    child.started.then(
      () => {
        startsLeft.delete(member);
        if (startsLeft.size === 0) allStarted.resolve();
      },
      (error: unknown) => firstStarts.reject(error),
    );
    let force: NodeJS.Timeout | undefined;
    const stop = () => {
      child.stop();
      force = setTimeout(() => child.kill(), options.stopMaxMs);
    };
    if (stopSignal.aborted) stop();
    else stopSignal.addEventListener('abort', stop, { once: true });
    const exit = await child.exited;
    clearTimeout(force);
    stopSignal.removeEventListener('abort', stop);
    member.current = null;
    if (stopSignal.aborted) {
      if (exit.code !== 0) state.isClean = false;
      return;
    }
    const end = exit.signal === null ? `code ${exit.code}` : exit.signal;
    throw workerError(member.endsAs ?? 'worker_ended', `Worker process ${number} (${child.pid}) ended with ${end}`);
  };

  const supervisors: readonly Supervisor[] = members.map((member) =>
    supervise({
      workers: [
        {
          name: member.name,
          run: (stopSignal) => run(member, stopSignal),
          // Until all have started once, a failure is one of the settings or the database, as in a process of its own.
          onFailure: () => (state.hasStarted ? 'restart' : 'exit'),
        },
      ],
      logger,
      metrics,
      clock,
      onFatal: (_name, error) => firstStarts.reject(error),
    }),
  );
  const unwatch = watchSilence(members, { ...options });
  const stopAll = async () => {
    await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    unwatch();
  };
  const stopped = waitUntilAborted(signal);
  try {
    await Promise.race([allStarted.promise, firstStarts.promise, stopped]);
    state.hasStarted = true;
  } catch (error) {
    await stopAll();
    throw error;
  }

  return {
    worker: {
      name: 'worker_processes',
      async run(stopSignal) {
        await waitUntilAborted(stopSignal);
        await stopAll();
      },
    },
    checks: members.map((member) => ({ name: member.name, check: () => assertReady(member) })),
    health: () => supervisors.flatMap((supervisor) => supervisor.health()),
    async expositions() {
      const texts = await Promise.allSettled(
        members.map((member) => (member.current?.hasStarted() ? member.current.ask('metrics', metricsMaxMs) : Promise.resolve(''))),
      );
      return texts.flatMap((text) => (text.status === 'fulfilled' ? [text.value] : []));
    },
    async close() {
      await stopAll();
      if (!state.isClean) throw workerError('worker_ended', 'A worker process did not drain in time');
    },
  };
}
