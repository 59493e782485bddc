import type { Tx } from '@pulsewire/database';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Emit } from '@pulsewire/eventlog';
import type { PulledPage } from '@pulsewire/providers';
import { findMissing, writeRecords, writeRecordsApart, type RecordBatch } from '@pulsewire/store';
import type { Pullable } from '../plan/pullable.ts';
import { withinBounds } from '../plan/within-bounds.ts';
import type { RunningWindow } from './claim-window.ts';
import { quarantinedOf, setAside } from './set-aside.ts';

/** The window that a page is written for. */
export type PageWindow = Pick<RunningWindow, 'windowId' | 'lane' | 'traceId'>;

/**
 * What the page shows to be deleted: missing from ranges of which it holds everything. Nothing where a part of it could not be read, for
 * that part may be what is missing; and nothing that was stored before this connection was made, which may be of another account.
 */
async function findDeleted(tx: Tx, { connection }: Pullable, page: PulledPage): Promise<readonly CanonicalRecord[]> {
  if (page.allOf === undefined || page.allOf.length === 0 || page.quarantined.length > 0) return [];
  const { connectionId, teamId, userId, provider } = connection;
  const [plan] = await tx.sql<{ reads_since: string }[]>`SELECT reads_since FROM pull_plans WHERE connection_id = ${connectionId}`;
  if (!plan) return [];
  const { version, allOf: ranges, records } = page;
  return findMissing(tx, { owner: { teamId, userId }, provider, version, since: BigInt(plan.reads_since), ranges, records });
}

/**
 * Stores one page under its version, removes what it shows to be deleted, sets aside what could not be mapped, and adds both to the window's
 * record. The caller holds the window. With `isApart` what Postgres refuses is set aside too, and nothing is removed: the page is incomplete.
 */
export async function writePage(
  tx: Tx,
  emit: Emit,
  pullable: Pullable,
  window: PageWindow,
  page: PulledPage,
  now: Date,
  isApart = false,
): Promise<void> {
  const { connection, connector } = pullable;
  const deleted = isApart ? [] : await findDeleted(tx, pullable, page);
  const batch: RecordBatch = {
    owner: { teamId: connection.teamId, userId: connection.userId, clientUserId: connection.clientUserId },
    version: page.version,
    origin: window.lane === 'backfill' ? 'historical' : 'live',
    records: [...withinBounds(page.records, connection), ...deleted],
    sourceId: connector.sourceId,
    traceId: window.traceId,
  };
  const { outcome, refused } = isApart
    ? await writeRecordsApart(tx, emit, batch)
    : { outcome: await writeRecords(tx, emit, batch), refused: [] };
  await setAside(tx, pullable, window.windowId, [...page.quarantined, ...refused.map(quarantinedOf)], now);
  await tx.sql`
    UPDATE pull_windows SET pages = pages + 1,
      samples_received = samples_received + ${outcome.samplesReceived}, samples_created = samples_created + ${outcome.samplesCreated},
      samples_updated = samples_updated + ${outcome.samplesUpdated}, summaries_received = summaries_received + ${outcome.summariesReceived},
      summaries_created = summaries_created + ${outcome.summariesCreated}, summaries_updated = summaries_updated + ${outcome.summariesUpdated},
      quarantined = quarantined + ${page.quarantined.length + refused.length}
    WHERE window_id = ${window.windowId}`;
}
