import { discontinuedFailure, markConnectionErrorInTx, type ConnectionFailure } from '@pulsewire/connections';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import { waitForQuota } from '../session/wait-for-quota.ts';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { isLinkedSince } from '../model/is-linked-since.ts';
import { stopSchedule } from '../connection-schedule/stop-schedule.ts';
import { pauseSchedule } from '../connection-schedule/due-times.ts';
import type { RunningWindow } from '../window/claim-window.ts';
import { endWindow } from '../window/end-window.ts';
import { retryLater, yieldBack } from '../window/leave-window.ts';
import { lockWindow } from '../window/lock-window.ts';
import type { Verdict } from '../session/judge-failure.ts';

const revoked: ConnectionFailure = {
  errorType: 'deregistered_per_provider',
  message: 'The provider reports that the user has withdrawn consent.',
};

/** Marks the connection with an error, once, and stops its schedule; open windows wait until the user links again. */
export async function stopEnded(
  { clock }: Pick<IngestContext, 'clock'>,
  tx: Tx,
  emit: Emit,
  connectionId: string,
  end = revoked,
): Promise<void> {
  // The connection's row before the schedule's: packages/database/LOCKS.md.
  const isMarked = await markConnectionErrorInTx(tx, emit, clock, connectionId, end);
  if (isMarked) await stopSchedule(tx, connectionId, clock.now());
}

/** Stores the verdict on a failed run and all its consequences in one transaction. */
export async function settleFailure(context: IngestContext, pullable: Pullable, window: RunningWindow, verdict: Verdict): Promise<void> {
  if (verdict.kind === 'lost') return;
  const { connectionId } = pullable.connection;
  await withEvents(context.database, async (tx, emit) => {
    const now = context.clock.now();
    // The schedule's row before its windows: packages/database/LOCKS.md.
    if (verdict.kind === 'pause') await pauseSchedule(tx, connectionId, 'all', verdict.delayMs, now);
    if (verdict.kind === 'wait') await waitForQuota(tx, pullable, window.lane, verdict, now);
    if (verdict.kind === 'stop') await stopSchedule(tx, connectionId, now);
    // A rejection of the earlier consent says nothing about one that the user has given in the meantime.
    const hasEnded = verdict.kind === 'revoked' || verdict.kind === 'discontinued';
    if (hasEnded && !(await isLinkedSince(tx, connectionId, window.startedAt)))
      await stopEnded(context, tx, emit, connectionId, verdict.kind === 'discontinued' ? discontinuedFailure(pullable.connector) : revoked);
    await lockWindow(tx, window);
    if (verdict.kind === 'retry') {
      const dueAt = new Date(now.getTime() + verdict.delayMs);
      await retryLater(tx, window, { errorCode: verdict.errorCode, dueAt, now });
    } else if (verdict.kind === 'give_up')
      await endWindow(tx, emit, pullable.connection, window, { state: 'given_up', errorCode: verdict.errorCode }, now);
    else await yieldBack(tx, window, verdict.kind === 'pause' || verdict.kind === 'wait' ? verdict.errorCode : null);
  });
}
