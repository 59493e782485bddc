import { and, isNotNull, isNull, sql } from 'drizzle-orm';
import { createLeaseQueue, keepLease, run, type Database, type Executor, type Tx } from '@pulsewire/database';
import type { Logger } from '@pulsewire/kernel';
import { pullPlans } from '../model/tables.ts';
import { replanInterrupted } from '../window/leave-window.ts';

/** The leases of connections: plans are acquired by their connection, when a job asks for it. */
const planQueue = createLeaseQueue({ table: pullPlans, key: 'connectionId', leaseUntil: 'leaseUntil', epoch: 'leaseEpoch' });

/** What leasing needs; `leaseMs`: how long a lease lasts without renewal. */
export interface LeaseContext {
  readonly database: Database;
  readonly logger: Logger;
  readonly settings: { readonly leaseMs: number };
}

/** The right to work on one connection. */
export interface Lease {
  readonly connectionId: string;
  readonly epoch: string;
  /** Aborts when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
  /** Ends the lease; `work` runs in the same transaction and sees what was planned meanwhile. */
  release(work: (tx: Tx) => Promise<void>): Promise<void>;
}

/**
 * Leases the connection to this worker, or returns null when another one has it. Windows that a dead holder left running are planned again.
 * Renewed until released; a holder that lost the lease finds its windows under another epoch.
 */
export async function acquireLease(
  { database, logger, settings }: LeaseContext,
  connectionId: string,
  signal: AbortSignal,
): Promise<Lease | null> {
  const { leaseMs } = settings;
  const isPulled = and(isNull(pullPlans.stoppedAt), sql`${pullPlans.waitsFor} IS DISTINCT FROM 'live'`);
  const row = await database.transaction(async (tx) => {
    const acquired = await planQueue.acquire(tx, connectionId, { leaseMs, where: isPulled });
    if (acquired) await replanInterrupted(tx, connectionId);
    return acquired;
  });
  if (row === null) return null;
  const kept = keepLease({ renew: () => planQueue.renew(database, row, leaseMs), leaseMs, logger, queue: 'pull_plans' });
  return {
    connectionId,
    epoch: row.leaseEpoch.toString(),
    signal: AbortSignal.any([signal, kept.lost]),
    async release(work) {
      await kept.stop();
      await database.transaction(async (tx) => {
        if (await planQueue.release(tx, row)) await work(tx);
      });
    },
  };
}

/** Frees the connections that a worker was pulling when a backup was made. Only while no process runs. Returns their number. */
export async function releasePullLeases({ orm }: Executor): Promise<number> {
  const { connectionId, leaseUntil } = pullPlans;
  return (await run(orm.update(pullPlans).set({ leaseUntil: null }).where(isNotNull(leaseUntil)).returning({ connectionId }))).length;
}
