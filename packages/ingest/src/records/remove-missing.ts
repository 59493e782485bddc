import type { CompleteRange } from '@pulsewire/contract';
import { eq } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { findMissing, writeRecords, type PresentRecord } from '@pulsewire/store';
import type { Pullable } from '../context/pullable.ts';
import { pullPlans } from '../model/tables.ts';
import type { PageWindow } from './page-window.ts';

/** Ranges that were read completely, and the records in them. */
export interface CompleteReading {
  /** Version of the oldest response. */
  readonly version: bigint;
  readonly ranges: readonly CompleteRange[];
  readonly records: readonly PresentRecord[];
}

/** What is stored in these ranges and missing in the reading. Nothing once the connection's schedule is gone. */
export async function findRemovals(tx: Tx, { connection }: Pick<Pullable, 'connection'>, reading: CompleteReading) {
  const { connectionId, teamId, userId, provider } = connection;
  const { readsSince } = pullPlans;
  const [plan] = await run(tx.orm.select({ readsSince }).from(pullPlans).where(eq(pullPlans.connectionId, connectionId)));
  return plan ? findMissing(tx, { ...reading, owner: { teamId, userId }, provider, since: plan.readsSince }) : [];
}

/**
 * Removes stored records in completely read ranges that the reading did not contain. Records stored before this connection was created
 * stay: they may belong to another account of the user. Call it after the read records are stored. Returns how many existed.
 */
export async function removeMissing(tx: Tx, emit: Emit, pullable: Pullable, window: PageWindow, reading: CompleteReading): Promise<number> {
  const { connection, connector } = pullable;
  const { teamId, userId, clientUserId } = connection;
  const removals = await findRemovals(tx, pullable, reading);
  if (removals.length === 0) return 0;
  const { removed } = await writeRecords(tx, emit, {
    owner: { teamId, userId, clientUserId },
    version: reading.version,
    origin: window.lane === 'backfill' ? 'historical' : 'live',
    records: removals,
    sourceId: connector.sourceId,
    traceId: window.traceId,
  });
  return removed;
}
