import cluster from 'node:cluster';
import { AppError, type Clock, type ErrorCode } from '@pulsewire/kernel';
import { closeUnaccepted } from './close-unaccepted.ts';
import type { FromWorker, Question, ToWorker, WorkerStart } from './messages.ts';

export interface WorkerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One run of a worker process, as its parent sees it. */
export interface WorkerProcess {
  readonly pid: number;
  /** Resolves when the worker has started; rejects with its error when it ends before. */
  readonly started: Promise<void>;
  readonly exited: Promise<WorkerExit>;
  hasStarted(): boolean;
  /** How long nothing has been heard of it. */
  silentMs(): number;
  /** Counts its silence from now on: the parent itself was not running. */
  forgive(): void;
  /** Its answer; rejects with AppError `worker_silent` when the worker does not answer in time. */
  ask(question: Question, timeoutMs: number): Promise<string>;
  /** Makes it drain and end. */
  stop(): void;
  kill(): void;
}

export function workerError(code: Extract<ErrorCode, `worker_${string}`>, message: string): AppError {
  return new AppError({ code, kind: 'unavailable', message, retryable: true });
}

const describeEnd = ({ code, signal }: WorkerExit) => (signal === null ? `ended with code ${code}` : `was ended by ${signal}`);

/** Starts a worker process with the program that `cluster.setupPrimary` names. It ends when this process ends, however that happens. */
export function startWorkerProcess(start: WorkerStart, clock: Pick<Clock, 'monotonicMs'>): WorkerProcess {
  const child = cluster.fork().process;
  closeUnaccepted(child);
  const started = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<WorkerExit>();
  const asked = new Map<number, (text: string) => void>();
  const state = { heardMs: clock.monotonicMs(), hasStarted: false, lastId: 0 };
  started.promise.catch(() => {});

  const hear = (message: FromWorker) => {
    state.heardMs = clock.monotonicMs();
    if (message.kind === 'started') {
      state.hasStarted = true;
      started.resolve();
    } else if (message.kind === 'start_failed') {
      started.reject(Object.assign(new Error(`Worker ${start.number} cannot start: ${message.message}`), { code: message.code }));
    } else if (message.kind === 'answer') {
      asked.get(message.id)?.(message.text);
      asked.delete(message.id);
    }
  };
  const end = (exit: WorkerExit) => {
    started.reject(workerError('worker_ended', `Worker ${start.number} ${describeEnd(exit)} before it had started`));
    exited.resolve(exit);
  };
  // A channel that closes is an end of the worker, which is reported by itself.
  const send = (message: ToWorker) => void (child.connected && child.send(message, () => {}));

  child.on('message', hear);
  child.once('error', () => end({ code: null, signal: null }));
  child.once('exit', (code, signal) => end({ code, signal }));
  send({ kind: 'start', start });
  return {
    pid: child.pid ?? 0,
    started: started.promise,
    exited: exited.promise,
    hasStarted: () => state.hasStarted,
    silentMs: () => clock.monotonicMs() - state.heardMs,
    forgive: () => void (state.heardMs = clock.monotonicMs()),
    async ask(question, timeoutMs) {
      const id = (state.lastId += 1);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const timer = setTimeout(() => reject(workerError('worker_silent', `Worker ${start.number} does not answer`)), timeoutMs);
      asked.set(id, resolve);
      send({ kind: 'ask', id, question });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        asked.delete(id);
      }
    },
    stop: () => send({ kind: 'stop' }),
    kill: () => void child.kill('SIGKILL'),
  };
}
