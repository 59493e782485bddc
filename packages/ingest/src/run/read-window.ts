import { AppError } from '@pulsewire/kernel';
import { providerHttp, watchForCuts, type LeftOutBefore, type ProviderSend, type PulledPage, type PullSpec } from '@pulsewire/providers';
import { lockRecords } from '@pulsewire/store';
import type { IngestContext } from '../context/context.ts';
import { openObject } from '../sealed/named-object.ts';
import type { Pullable } from '../context/pullable.ts';
import type { RunningWindow } from '../window/claim-window.ts';
import { awaitNotifications } from '../window/leave-window.ts';
import { countByReason } from '../records/count-left-out.ts';
import { recordPushedHistory, notificationWait } from '../records/record-pushed-history.ts';
import { endWindow } from '../window/end-window.ts';
import { storeResponses, type VaultRow } from '../vault/store-responses.ts';
import { lockWindow } from '../window/lock-window.ts';
import { openReading } from './open-reading.ts';
import { removeMissing } from '../records/remove-missing.ts';
import { storeWithQuarantine } from '../records/store-with-quarantine.ts';
import { openWholeReading } from './whole-reading.ts';
import { writePage } from '../records/write-page.ts';

export interface WindowRun {
  readonly pullable: Pullable;
  readonly pull: PullSpec;
  readonly window: RunningWindow;
  readonly send: ProviderSend;
  readonly signal: AbortSignal;
}

/** A page that is held back until it is known whether it is the last one, with the raw responses that it was mapped from. */
interface Held {
  readonly page: PulledPage;
  readonly raw: VaultRow | null;
}

/**
 * Reads one window and stores it, one transaction per page; the end of the window commits with its last page. After a failure the earlier
 * pages stay stored: the next run reads them again and writes only what changed. After a run that was interrupted for lack of quota, the next
 * run requests only what is missing. Throws what the connector throws, `window_lost`, or the signal's reason.
 */
export async function runWindow(context: IngestContext, { pullable, pull, window, send, signal }: WindowRun): Promise<void> {
  const { provider, connectionId } = pullable.connection;
  const isRequesting = pull.fulfilledBy !== undefined && window.lane === 'backfill' && !window.isAccepted;
  const reading = await openReading(context, { pullable, window, send });
  const whole = openWholeReading(reading.isContinued);
  const cuts = watchForCuts(reading.send);
  const mayBeCut = () => pull.listsBeyondWindow !== true && cuts.mayBeCut();
  const recordCut = () => {
    whole.markIncomplete();
    context.metrics.count('ingest_cut_readings_total', { provider, pull: pull.name });
    context.logger.warn({ provider, pull: pull.name, connectionId }, 'window.may_be_cut');
  };
  const store = (page: PulledPage | null, raw: readonly (VaultRow | null)[], isLast: boolean) => {
    if (page) whole.add(page);
    return storeWithQuarantine(context, { provider, connectionId }, async (tx, emit, isolatesRefused) => {
      if (isolatesRefused) whole.markIncomplete();
      const now = context.clock.now();
      // The user's records before the schedule, and the schedule before windows: packages/database/LOCKS.md.
      const locked = lockRecords(tx, pullable.connection.userId);
      if (page && window.objectId !== '') {
        await locked;
        // History may be announced instead of pushed: it arrives when the announced object is read.
        for (const collection of pull.collections) await recordPushedHistory(context, tx, pullable, collection, page.records);
      }
      await Promise.all([locked, lockWindow(tx, window)]);
      // Sent together, so that storing raw responses costs no round trip. With savepoints (`isolatesRefused`) statements must not overlap.
      const keeping = raw.flatMap((row) => (row ? [storeResponses(tx, pullable, row, isLast)] : []));
      if (isolatesRefused) await Promise.all(keeping);
      const pageToWrite = page && (reading.isContinued || mayBeCut()) ? { ...page, allOf: [] } : page;
      await Promise.all([...keeping, pageToWrite && writePage(context, tx, emit, pullable, window, pageToWrite, { now, isolatesRefused })]);
      if (!isLast) return;
      if (mayBeCut()) recordCut();
      const complete = whole.end();
      if (complete) await removeMissing(tx, emit, pullable, window, complete);
      await reading.end(tx);
      if (isRequesting) await awaitNotifications(tx, window, notificationWait(context.settings), now);
      else await endWindow(tx, emit, pullable.connection, window, { state: 'done' }, now);
    });
  };

  if (window.isAccepted) return store(null, [], true);
  const leftOut = new Map<LeftOutBefore, number>();
  const range = { startDate: window.startDate, endDate: window.endDate, leftOut };
  // One page is held back, so that the last one is known as such when it is written.
  let held: Held | null = null;
  const objectId = openObject(context.cipher, pullable.connection.connectionId, window);
  const call = { http: providerHttp(cuts.send), user: reading.user, signal, now: reading.now };
  const pages = objectId === '' ? pull.pull({ ...call, window: range }) : pull.pullObject?.({ ...call, objectId });
  try {
    for await (const page of pages ?? []) {
      const raw = await reading.next();
      if (held) await store(held.page, [held.raw], false);
      held = null;
      if (signal.aborted) throw stopped(signal);
      held = { page, raw };
    }
  } catch (error) {
    throw await reading.onInterrupted(error, held?.raw ?? null);
  } finally {
    countByReason(context, provider, leftOut);
  }
  await store(held?.page ?? null, [held?.raw ?? null, await reading.next()], true);
}

function stopped(signal: AbortSignal): unknown {
  return signal.reason ?? new AppError({ code: 'window_stopped', kind: 'unavailable', message: 'The window was stopped', retryable: true });
}
