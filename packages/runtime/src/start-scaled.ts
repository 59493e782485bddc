import type { ProcessContext, Started } from './process-definition.ts';
import { workersWanted, type WorkersWanted } from './workers/worker-settings.ts';
import type { WorkerPlan, WorkerPool } from './workers/worker-pool.ts';

export interface ScaledConfig {
  readonly workers: string;
}

/**
 * Starts a service in as many worker processes as WORKERS says, of which each runs `alone` with the settings of the plan; with one, `alone`
 * runs in this process. `plan` may lower the number, and is asked only in the parent.
 */
export async function startScaled<C extends ScaledConfig>(
  context: ProcessContext<C>,
  plan: (wanted: WorkersWanted) => Promise<WorkerPlan>,
  alone: () => Promise<Started>,
): Promise<Started> {
  const wanted = workersWanted(context.config.workers);
  if (context.worker !== null || wanted.count === 1) return alone();
  const planned = await plan(wanted);
  if (planned.count === 1) return alone();
  return startedPool(await context.openWorkers(planned));
}

/** Worker processes as a part of a started process. */
export function startedPool(pool: WorkerPool): Started {
  return { workers: [pool.worker], checks: pool.checks, pool, close: () => pool.close() };
}
