import { and, eq, isNotNull } from 'drizzle-orm';
import { run, type Database, type Executor, type Sql, type Tx } from '@pulsewire/database';
import type { Clock } from '@pulsewire/kernel';
import { pullPlans } from '../model/tables.ts';
import { replanInterrupted } from '../pull-windows/leave-window.ts';

/**
 * Whether a connection has no lease. A lease is shorter than an hour: one that ends later was taken by a clock that was ahead, and is
 * ignored.
 */
export function isFree(sql: Sql, now: Date) {
  const at = now.toISOString();
  return sql`(lease_until IS NULL OR lease_until <= ${at} OR lease_until > ${at}::timestamptz + interval '1 hour')`;
}

/** What leasing needs; `leaseMs`: how long a lease lasts without renewal. */
export interface LeaseContext {
  readonly database: Database;
  readonly clock: Clock;
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
export async function acquireLease(context: LeaseContext, connectionId: string, signal: AbortSignal): Promise<Lease | null> {
  const { database, clock, settings } = context;
  const until = () => new Date(clock.now().getTime() + settings.leaseMs).toISOString();
  const epoch = await database.transaction(async (tx) => {
    const { sql } = tx;
    const [row] = await sql<{ lease_epoch: string }[]>`
      UPDATE pull_plans SET lease_epoch = lease_epoch + 1, lease_until = ${until()}
      WHERE connection_id = ${connectionId} AND stopped_at IS NULL AND waits_for IS DISTINCT FROM 'live' AND ${isFree(sql, clock.now())}
      RETURNING lease_epoch`;
    if (!row) return null;
    await replanInterrupted(tx, connectionId);
    return row.lease_epoch;
  });
  if (epoch === null) return null;

  const lost = new AbortController();
  const isHeld = and(eq(pullPlans.connectionId, connectionId), eq(pullPlans.leaseEpoch, BigInt(epoch)));
  const renew = async () => {
    const isLeased = and(isHeld, isNotNull(pullPlans.leaseUntil));
    const { count } = await run(database.orm.update(pullPlans).set({ leaseUntil: until() }).where(isLeased));
    if (count === 0) lost.abort(new Error('Another worker took over the lease'));
  };
  // A failed renewal is retried by the next one; if all fail, the epoch protects the data.
  const timer = setInterval(() => void renew().catch(() => {}), Math.ceil(settings.leaseMs / 3));
  return {
    connectionId,
    epoch,
    signal: AbortSignal.any([signal, lost.signal]),
    async release(work) {
      clearInterval(timer);
      await database.transaction(async (tx) => {
        const { count } = await run(tx.orm.update(pullPlans).set({ leaseUntil: null }).where(isHeld));
        if (count > 0) await work(tx);
      });
    },
  };
}

/** Frees the connections that a worker was pulling when a backup was made. Only while no process runs. Returns their number. */
export async function releasePullLeases({ orm }: Executor): Promise<number> {
  const { connectionId, leaseUntil } = pullPlans;
  return (await run(orm.update(pullPlans).set({ leaseUntil: null }).where(isNotNull(leaseUntil)).returning({ connectionId }))).length;
}
