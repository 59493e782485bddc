import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { PulledPage } from '@pulsewire/providers';
import { presentIn, writeRecords, writeRecordsBisecting, type RecordBatch } from '@pulsewire/store';
import type { IngestContext } from '../context/context.ts';
import { offsetsFromOf, rawCipherOf, type Pullable } from '../context/pullable.ts';
import { withinBounds } from './day-filters.ts';
import { countPage } from '../window/count-window.ts';
import type { PageWindow } from './page-window.ts';
import { countLeftOut, sizeOf, type LeftOutReason } from './count-left-out.ts';
import { handOverDays } from './hand-over-days.ts';
import { hidesRecords } from './hides-records.ts';
import { removeMissing } from './remove-missing.ts';
import { quarantinedOf, setAside } from './set-aside.ts';

/** What storing a page did. */
export interface PageEffect {
  /** Records that were created, updated or removed, and other events, such as those of devices. */
  readonly changes: number;
  /** Every record was stored or equal: none was quarantined, nor older than what is stored. */
  readonly isClean: boolean;
}

/**
 * Stores one page under its version, removes what the page shows to be deleted, quarantines what could not be mapped, and adds both to the
 * window's counters. The caller holds the window. With `isolatesRefused`, values that Postgres refuses are quarantined too, and nothing is removed
 * because the page is incomplete.
 */
export async function writePage(
  context: Pick<IngestContext, 'cipher' | 'connectorFor' | 'logger' | 'metrics'>,
  tx: Tx,
  emit: Emit,
  pullable: Pullable,
  window: PageWindow,
  page: PulledPage,
  { now, isolatesRefused = false }: { readonly now: Date; readonly isolatesRefused?: boolean },
): Promise<PageEffect> {
  const { connection, connector } = pullable;
  const records = await handOverDays(context, tx, { pullable, records: page.records, now });
  const within = withinBounds(records, connection);
  const batch: RecordBatch = {
    owner: { teamId: connection.teamId, userId: connection.userId, clientUserId: connection.clientUserId },
    version: page.version,
    origin: window.lane === 'backfill' ? 'historical' : 'live',
    records: within,
    sourceId: connector.sourceId,
    traceId: window.traceId,
    offsetsFrom: offsetsFromOf(pullable),
    rawCipher: rawCipherOf(context, connection),
  };
  const { outcome, refused } = isolatesRefused
    ? await writeRecordsBisecting(tx, emit, batch)
    : { outcome: await writeRecords(tx, emit, batch), refused: [] };
  const leaveOut = (reason: LeftOutReason, count: number) => countLeftOut(context, connector.slug, reason, count);
  leaveOut('handed_over', sizeOf(page.records) - sizeOf(records));
  leaveOut('outside_bounds', sizeOf(records) - sizeOf(within));
  leaveOut('not_storable', outcome.samplesRefused);
  leaveOut('older_version', outcome.older);
  const { version, allOf: ranges = [] } = page;
  // A record that seems missing may be in a part that could not be read or stored.
  const isWhole = !isolatesRefused && !hidesRecords(page.quarantined);
  const removed =
    isWhole && ranges.length > 0
      ? await removeMissing(tx, emit, pullable, window, { version, ranges, records: presentIn(page.records) })
      : 0;
  const quarantined = [...page.quarantined, ...refused.map(quarantinedOf)];
  if (quarantined.length > 0) await setAside(tx, pullable, window.windowId, quarantined, now);
  await countPage(tx, window.windowId, outcome, quarantined.length);
  const { samplesCreated, samplesUpdated, summariesCreated, summariesUpdated, streamsWritten } = outcome;
  const written = samplesCreated + samplesUpdated + summariesCreated + summariesUpdated + streamsWritten;
  return {
    changes: written + outcome.removed + outcome.events + removed,
    isClean: quarantined.length === 0 && outcome.older === 0 && outcome.samplesRefused === 0,
  };
}
