import { workerError, type WorkerProcess } from './worker-process.ts';

/** A worker process and those that replace it, under one number. */
export interface PoolMember {
  readonly number: number;
  readonly name: string;
  current: WorkerProcess | null;
  isBlocked: boolean;
  /** Why it is being ended, if we end it. */
  endsAs: 'worker_blocked' | null;
}

/** Below the time limit of a readiness check. */
const readyMaxMs = 1900;

/** Throws AppErrors `worker_starting`, `worker_blocked`, `worker_silent` and `worker_not_ready`. */
export async function assertReady({ name, current, isBlocked }: PoolMember): Promise<void> {
  if (!current?.hasStarted()) throw workerError('worker_starting', `${name} has not started`);
  if (isBlocked) throw workerError('worker_blocked', `${name} is blocked`);
  const answer = await current.ask('ready', readyMaxMs);
  if (answer !== 'ok') throw workerError('worker_not_ready', `${name}: ${answer}`);
}
