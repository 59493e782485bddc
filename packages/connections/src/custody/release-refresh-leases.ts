import { isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { connectionTokens } from '../model/tables.ts';

/** Releases the leases of tokens that a process was refreshing when a backup was made. Only while no process runs. Returns how many. */
export async function releaseRefreshLeases({ orm }: Executor): Promise<number> {
  const { connectionId, leaseUntil } = connectionTokens;
  const rows = await run(orm.update(connectionTokens).set({ leaseUntil: null }).where(isNotNull(leaseUntil)).returning({ connectionId }));
  return rows.length;
}
