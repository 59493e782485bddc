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

/**
 * Removes stored records in completely read ranges that the reading did not contain. Records stored before this connection was created
 * stay: they may belong to another account of the user. Call it after the read records are stored.
 */
export async function removeMissing(tx: Tx, emit: Emit, pullable: Pullable, window: PageWindow, reading: CompleteReading): Promise<void> {
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
