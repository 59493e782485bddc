import cluster from 'node:cluster';
import type { FromWorker, Question, ToWorker, WorkerStart } from './messages.ts';

/** What a worker process tells its parent. When the parent dies, `node:cluster` ends this process. */
export interface WorkerLink {
  readonly start: WorkerStart;
  /** Sends a beat every second, which a blocked event loop does not. */
  beat(): void;
  started(): void;
  startFailed(code: string, message: string): void;
  answer(question: Question, respond: () => Promise<string>): void;
  onStop(stop: () => void): void;
}

// The parent may end at any moment.
const send = (message: FromWorker) => void (process.connected && process.send?.(message, undefined, undefined, () => {}));

/** Waits for the parent's instructions; null when this process is no worker of another one. */
export async function openWorkerLink(): Promise<WorkerLink | null> {
  if (!cluster.isWorker) return null;
  const started = Promise.withResolvers<WorkerStart>();
  const state = { isStopping: false, stop: () => {} };
  const answers = new Map<Question, () => Promise<string>>();
  // One listener for all messages: those that arrived while modules were loaded are delivered together.
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'start') started.resolve(message.start);
    else if (message.kind === 'stop') {
      state.isStopping = true;
      state.stop();
    } else {
      const respond = answers.get(message.question);
      respond?.().then(
        (text) => send({ kind: 'answer', id: message.id, text }),
        () => {},
      );
    }
  });
  const start = await started.promise;
  return {
    start,
    beat() {
      send({ kind: 'beat' });
      setInterval(() => send({ kind: 'beat' }), start.beatEveryMs).unref();
    },
    started: () => send({ kind: 'started' }),
    startFailed: (code, message) => send({ kind: 'start_failed', code, message }),
    answer: (question, respond) => void answers.set(question, respond),
    onStop(stop) {
      state.stop = stop;
      if (state.isStopping) stop();
    },
  };
}
