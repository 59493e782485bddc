import { and, eq, gt } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { pullPlans } from './tables.ts';

/**
 * Whether the user has linked this connection again after `at`. Locks the connection, so that a link in progress is waited for and seen.
 */
export async function isLinkedSince({ sql, orm }: Tx, connectionId: string, at: string): Promise<boolean> {
  await sql`SELECT 1 FROM connections WHERE connection_id = ${connectionId} FOR NO KEY UPDATE`;
  const { linkedAt } = pullPlans;
  const isSince = and(eq(pullPlans.connectionId, connectionId), gt(linkedAt, at));
  const [row] = await run(orm.select({ linkedAt }).from(pullPlans).where(isSince));
  return row !== undefined;
}
