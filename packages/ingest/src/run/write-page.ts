import { textArray, type Tx } from '@pulsewire/database';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Emit } from '@pulsewire/eventlog';
import type { PulledPage } from '@pulsewire/providers';
import { findMissing, writeRecords } from '@pulsewire/store';
import type { Pullable } from '../plan/pullable.ts';
import { withinBounds } from '../plan/within-bounds.ts';
import type { RunningWindow } from './claim-window.ts';

/** Setting aside is for single bad items; a page that is bad throughout need not be written down a thousand times. */
const quarantineRowsMax = 500;

/** The window that a page is written for. */
export type PageWindow = Pick<RunningWindow, 'windowId' | 'lane' | 'traceId'>;

async function setAside({ sql }: Tx, { connection }: Pullable, window: PageWindow, page: PulledPage, now: Date): Promise<void> {
  const seen = new Map(page.quarantined.map((item) => [`${item.resource} ${item.reason} ${item.pointer}`, item]));
  const items = [...seen.values()].slice(0, quarantineRowsMax);
  if (items.length === 0) return;
  const at = now.toISOString();
  await sql`
    INSERT INTO quarantine AS q (window_id, resource, reason, pointer, connection_id, team_id, user_id, first_seen_at, last_seen_at)
    SELECT ${window.windowId}::bigint, n.resource, n.reason, n.pointer, ${connection.connectionId}::uuid, ${connection.teamId}::uuid, ${connection.userId}::uuid, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${textArray(items.map((item) => item.resource))}::text[], ${textArray(items.map((item) => item.reason))}::text[],
      ${textArray(items.map((item) => item.pointer))}::text[]) AS n(resource, reason, pointer)
    ON CONFLICT (window_id, resource, reason, pointer) DO UPDATE SET sightings = q.sightings + 1, last_seen_at = excluded.last_seen_at`;
}

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

/** Stores one page under its version, removes what it shows to be deleted, sets aside what could not be mapped, and adds both to the window's record. The caller holds the window. */
export async function writePage(tx: Tx, emit: Emit, pullable: Pullable, window: PageWindow, page: PulledPage, now: Date): Promise<void> {
  const { connection, connector } = pullable;
  const deleted = await findDeleted(tx, pullable, page);
  const outcome = await writeRecords(tx, emit, {
    owner: { teamId: connection.teamId, userId: connection.userId, clientUserId: connection.clientUserId },
    version: page.version,
    origin: window.lane === 'backfill' ? 'historical' : 'live',
    records: [...withinBounds(page.records, connection), ...deleted],
    sourceId: connector.sourceId,
    traceId: window.traceId,
  });
  await setAside(tx, pullable, window, page, now);
  await tx.sql`
    UPDATE pull_windows SET pages = pages + 1,
      samples_received = samples_received + ${outcome.samplesReceived}, samples_created = samples_created + ${outcome.samplesCreated},
      samples_updated = samples_updated + ${outcome.samplesUpdated}, summaries_received = summaries_received + ${outcome.summariesReceived},
      summaries_created = summaries_created + ${outcome.summariesCreated}, summaries_updated = summaries_updated + ${outcome.summariesUpdated},
      quarantined = quarantined + ${page.quarantined.length}
    WHERE window_id = ${window.windowId}`;
}
