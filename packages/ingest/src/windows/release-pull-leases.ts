import { isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';

/** Frees the connections that a worker was pulling when a backup was made. Only while no process runs. Returns their number. */
export async function releasePullLeases({ orm }: Executor): Promise<number> {
  const { connectionId, leaseUntil } = pullPlans;
  return (await run(orm.update(pullPlans).set({ leaseUntil: null }).where(isNotNull(leaseUntil)).returning({ connectionId }))).length;
}
