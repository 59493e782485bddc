import { availableParallelism } from 'node:os';
import { Type } from 'typebox';
import { defineConfig } from '../config/fields.ts';

/** Settings of processes that can share their work among worker processes. */
export const workersConfig = defineConfig({
  workers: {
    env: 'WORKERS',
    schema: Type.String({ format: 'workers', default: 'auto' }),
    description:
      'Processes that share the work, under a parent that restarts them and serves health and metrics; auto: as many as there are cores. With 1, one process does everything.',
  },
  workerSilenceMaxMs: {
    env: 'WORKER_SILENCE_MAX_MS',
    schema: Type.Integer({ minimum: 1000, maximum: 600_000, default: 30_000 }),
    unit: 'ms',
    description: 'A worker process whose event loop has been blocked for this long is killed and started again.',
  },
});

export interface WorkersWanted {
  readonly count: number;
  /** Chosen by us, so it may be lowered to what the database has connections for. */
  readonly isAuto: boolean;
}

/** The number of worker processes for a value of WORKERS. `cores`: those that this process may use, by affinity and by its control group. */
export function workersWanted(setting: string, cores: number = availableParallelism()): WorkersWanted {
  return setting === 'auto' ? { count: Math.max(1, cores), isAuto: true } : { count: Number(setting), isAuto: false };
}
