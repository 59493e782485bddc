import { AppError } from '@pulsewire/kernel';
import { providerHttp, watchForCuts, type LeftOutBefore, type PulledPage } from '@pulsewire/providers';
import { lockRecords } from '@pulsewire/store';
import type { IngestContext } from '../context/context.ts';
import { openObject } from '../sealed/named-object.ts';
import { recordChange } from '../window/cursors.ts';
import { unpackReading } from '../window/last-reading.ts';
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
import { confirmSeen, confirmSeenAfter } from '../records/seen-again.ts';
import { sharingPulls } from '../model/sharing-pulls.ts';
import { writePage, type PageEffect } from '../records/write-page.ts';
import type { WindowRun } from './window-run.ts';
import { rememberReading } from './remember-reading.ts';
import { endIfUnchanged, type FullReading } from './unchanged-reading.ts';

const nothingWritten: PageEffect = { changes: 0, isClean: true };

/** A page that is held back until it is known whether it is the last one, with the raw responses that it was mapped from. */
interface Held {
  readonly page: PulledPage;
  readonly raw: VaultRow | null;
}

/**
 * Reads one window. When the provider responds exactly as it did the last time, it ends without being mapped or stored again; otherwise it
 * is stored, one transaction per page, and its end commits with its last page. After a failure the earlier
 * pages stay stored: the next run reads them again and writes only what changed. After a run that was interrupted for lack of quota, the next
 * run requests only what is missing. Throws what the connector throws, `window_lost`, or the signal's reason.
 */
export async function readWindow(context: IngestContext, run: WindowRun): Promise<void> {
  const full = await endIfUnchanged(context, run);
  if (full) await readInFull(context, run, full);
}

async function readInFull(context: IngestContext, { pullable, pull, window, signal }: WindowRun, full: FullReading): Promise<void> {
  const { provider, connectionId } = pullable.connection;
  const isRequesting = pull.fulfilledBy !== undefined && window.lane === 'backfill' && !window.isAccepted;
  const memory = rememberReading(context, pullable, window, full);
  const reading = await openReading(context, { pullable, window, send: memory.send, startedAt: full.now });
  const whole = openWholeReading(reading.isContinued);
  const cuts = watchForCuts(reading.send);
  const mayBeCut = () => pull.listsBeyondWindow !== true && cuts.mayBeCut();
  const recordCut = () => {
    whole.markIncomplete();
    memory.discard();
    context.metrics.count('ingest_cut_readings_total', { provider, pull: pull.name });
    context.logger.warn({ provider, pull: pull.name, connectionId }, 'window.may_be_cut');
  };
  const store = (page: PulledPage | null, raw: readonly (VaultRow | null)[], isLast: boolean) => {
    if (page) {
      whole.add(page);
      memory.addPage(page);
    }
    return storeWithQuarantine(context, { provider, connectionId }, async (tx, emit, isolatesRefused) => {
      if (isolatesRefused) {
        whole.markIncomplete();
        memory.discard();
      }
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
      // Its first responses are as old as the run that was interrupted.
      if (page && reading.isContinued) await confirmSeenAfter(tx, pullable.connection, page.version);
      const written = pageToWrite && writePage(context, tx, emit, pullable, window, pageToWrite, { now, isolatesRefused });
      const [effect] = await Promise.all([written ?? nothingWritten, ...keeping]);
      memory.addEffect(effect);
      let { changes } = effect;
      if (isLast) {
        if (mayBeCut()) recordCut();
        const complete = whole.end();
        const removed = complete ? await removeMissing(tx, emit, pullable, window, complete) : 0;
        memory.addEffect({ changes: removed, isClean: true });
        changes += removed;
        await reading.end(tx);
        if (window.reading) await confirmSeen(tx, pullable.connection.userId, unpackReading(window.reading));
        const end = { state: 'done', reading: isRequesting ? null : await memory.packed(tx, complete) } as const;
        if (isRequesting) await awaitNotifications(tx, window, notificationWait(context.settings), now);
        else await endWindow(tx, emit, pullable.connection, window, end, now);
      }
      if (changes > 0) await recordChange(tx, connectionId, sharingPulls(pullable.connector, pull.resources));
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
