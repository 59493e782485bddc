import { AppError } from '@pulsewire/kernel';
import { withEvents } from '@pulsewire/eventlog';
import type { ProviderHttp, PulledPage, PullSpec } from '@pulsewire/providers';
import type { IngestContext } from '../context.ts';
import { pullUserOf, type Pullable } from '../plan/pullable.ts';
import type { RunningWindow } from './claim-window.ts';
import { endWindow } from './end-window.ts';
import { holdWindow } from './hold-window.ts';
import { writePage } from './write-page.ts';

export interface WindowRun {
  readonly pullable: Pullable;
  readonly pull: PullSpec;
  readonly window: RunningWindow;
  readonly http: ProviderHttp;
  readonly signal: AbortSignal;
}

/**
 * Reads one window and stores it, a transaction per page; the end of the window commits with its last page. A failure
 * leaves the pages before it stored: the next run reads them again and, where nothing changed, writes nothing.
 * Throws what the connector throws, `window_lost`, or the signal's reason.
 */
export async function runWindow(context: IngestContext, { pullable, pull, window, http, signal }: WindowRun): Promise<void> {
  const { connection } = pullable;
  const store = (page: PulledPage | null, isLast: boolean) =>
    withEvents(context.database, async (tx, emit) => {
      const now = context.clock.now();
      await holdWindow(tx, window);
      if (page) await writePage(tx, emit, pullable, window, page, now);
      if (isLast) await endWindow(tx, emit, pullable, window, { state: 'done' }, now);
    });

  const user = pullUserOf(connection);
  const range = { startDate: window.startDate, endDate: window.endDate };
  // One page is held back, so that the last one is known as such when it is written.
  let held: PulledPage | null = null;
  const { objectId } = window;
  const pages = objectId === '' ? pull.pull({ http, user, window: range, signal }) : pull.pullObject?.({ http, user, objectId, signal });
  for await (const page of pages ?? []) {
    if (held) await store(held, false);
    if (signal.aborted) throw stopped(signal);
    held = page;
  }
  await store(held, true);
}

function stopped(signal: AbortSignal): unknown {
  return signal.reason ?? new AppError({ code: 'window_stopped', kind: 'unavailable', message: 'The window was stopped', retryable: true });
}
