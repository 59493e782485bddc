import { errorCode } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { ProviderSend, PullUser } from '@pulsewire/providers';
import type { IngestContext } from '../context/context.ts';
import { pullUserOf, type Pullable } from '../context/pullable.ts';
import { endInterruptedRun, findInterruptedRun, forgetInterruptedRuns, resumeRun } from '../vault/interrupted-run.ts';
import { storeResponses, recordRun, type RecordedRun, type VaultRow } from '../vault/store-responses.ts';
import type { RunningWindow } from '../window/claim-window.ts';
import { callsMax, exceedsQuotaError, isQuotaInterruption, staleError } from './quota-interruption.ts';
import { lockWindow } from '../window/lock-window.ts';

/** One reading of a window, or the rest of one that was interrupted. */
export interface Reading extends RecordedRun {
  /** What the pull receives: as it was when the reading began. */
  readonly now: Date;
  readonly user: PullUser;
  /** It continues where it was interrupted: its responses are from different times, so no range of them counts as complete. */
  readonly isContinued: boolean;
  /** Call it in the transaction of the last page. */
  end(tx: Tx): Promise<void>;
  /**
   * Returns the error to throw. When the reading was interrupted for lack of quota, responses without a stored page (`held` and the
   * rest) are kept, so that the next run continues from here. After `callsMax` calls it returns AppError `window_exceeds_quota`.
   */
  onInterrupted(error: unknown, unstored: VaultRow | null): Promise<unknown>;
}

/** Error codes with which providers reject an expired page link or page token. */
const staleCodes: ReadonlySet<string> = new Set(['provider_permanent', 'provider_scope_missing']);

interface ReadingOf {
  readonly pullable: Pullable;
  readonly window: RunningWindow;
  readonly send: ProviderSend;
  /** The `now` of its pull, unless it continues an earlier one. */
  readonly startedAt: Date;
}

/**
 * Opens the reading of a window. One that was interrupted for lack of quota continues where it stopped: its responses are in the
 * vault, where they are kept until the reading ends even if raw responses are otherwise not stored.
 */
export async function openReading(context: IngestContext, { pullable, window, send, startedAt }: ReadingOf): Promise<Reading> {
  const { connection, connector } = pullable;
  const { storeRawResponses } = context.settings;
  const known = window.wasInterruptedByQuota ? await findInterruptedRun(context, pullable, window) : null;
  const isKept = storeRawResponses || window.wasInterruptedByQuota;
  const now = known?.now ?? startedAt;
  const kept = isKept ? recordRun(context, pullable, window, send, { now, known }) : null;
  return {
    send: known && kept ? resumeRun(context, known, kept.send) : (kept?.send ?? send),
    now,
    user: known ? { ...known.user, userId: connection.userId } : pullUserOf(connection),
    isContinued: known !== null,
    next: kept ? kept.next : async () => null,
    async end(tx) {
      if (kept && !storeRawResponses) await forgetInterruptedRuns(tx, pullable, window);
      else if (known) await endInterruptedRun(tx, known);
    },
    async onInterrupted(error, unstored) {
      // The provider may have discarded the place to continue from: then restart from the first call.
      if (known && staleCodes.has(errorCode(error))) return staleError(error);
      if (!kept || !isQuotaInterruption(error)) return error;
      const rows = [unstored, await kept.next()];
      const calls = kept.responseCount();
      const isTooMuch = calls >= callsMax(connector.quotas, window);
      await context.database.transaction(async (tx) => {
        await lockWindow(tx, window);
        for (const row of rows) if (row) await storeResponses(tx, pullable, row, false);
        if (isTooMuch && !storeRawResponses) await forgetInterruptedRuns(tx, pullable, window);
      });
      return isTooMuch ? exceedsQuotaError(calls, error) : error;
    },
  };
}
