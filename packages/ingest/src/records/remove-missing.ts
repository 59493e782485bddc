import type { CompleteRange } from '@pulsewire/contract';
import { eq } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { findMissing, writeRecords, type PresentRecord } from '@pulsewire/store';
import type { Pullable } from '../context/pullable.ts';
import { pullPlans } from '../model/tables.ts';
import type { PageWindow } from './page-window.ts';

/** Ranges of which everything was read, and what was in them. */
export interface CompleteReading {
  /** Of the oldest answer. */
  readonly version: bigint;
  readonly ranges: readonly CompleteRange[];
  readonly records: readonly PresentRecord[];
}

/**
 * Removes what is stored in ranges of which everything was read, and was not in them. What was stored before this connection was made
 * stays: it may be of another account of the user. The records that were read are stored already.
 */
export async function removeMissing(tx: Tx, emit: Emit, pullable: Pullable, window: PageWindow, reading: CompleteReading): Promise<void> {
  if (reading.ranges.length === 0) return;
  const { connection, connector } = pullable;
  const { connectionId, teamId, userId, clientUserId, provider } = connection;
  const { readsSince } = pullPlans;
  const [plan] = await run(tx.orm.select({ readsSince }).from(pullPlans).where(eq(pullPlans.connectionId, connectionId)));
  if (!plan) return;
  const removals = await findMissing(tx, { ...reading, owner: { teamId, userId }, provider, since: plan.readsSince });
  if (removals.length === 0) return;
  await writeRecords(tx, emit, {
    owner: { teamId, userId, clientUserId },
    version: reading.version,
    origin: window.lane === 'backfill' ? 'historical' : 'live',
    records: removals,
    sourceId: connector.sourceId,
    traceId: window.traceId,
  });
}
