import { eq, sql as fragment } from 'drizzle-orm';
import { discontinuedFailure, markConnectionErrorInTx, type ConnectionFailure } from '@pulsewire/connections';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { run, textArray, type Tx } from '@pulsewire/database';
import { waitForQuota } from '../session/wait-for-quota.ts';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { pullPlans, pullWindows } from '../model/tables.ts';
import { isLinkedSince } from '../model/is-linked-since.ts';
import { stopPlan } from '../plan/stop-plan.ts';
import type { RunningWindow } from '../windows/claim-window.ts';
import { cutCodes } from '../model/cut-codes.ts';
import { endWindow } from '../windows/end-window.ts';
import { holdWindow } from '../windows/hold-window.ts';
import type { Verdict } from '../session/judge-failure.ts';

/**
 * Restores a window to its state before this run. A window that resumes where it was cut short and was requested again is still read once
 * more afterwards.
 */
async function handBack({ sql }: Tx, window: RunningWindow, errorCode: string | null): Promise<void> {
  await sql`
    UPDATE pull_windows SET state = 'planned', run_epoch = NULL, attempts = attempts - 1, error_code = coalesce(${errorCode}, error_code),
      is_asked_again = is_asked_again AND coalesce(coalesce(${errorCode}, error_code) = ANY(${textArray(cutCodes)}::text[]), false)
    WHERE window_id = ${window.windowId}`;
}

async function retryLater({ orm }: Tx, window: RunningWindow, verdict: Verdict & { kind: 'retry' }, now: Date): Promise<void> {
  const dueAt = new Date(now.getTime() + verdict.delayMs).toISOString();
  const failed = { state: 'failed', runEpoch: null, isAskedAgain: false, dueAt, finishedAt: now.toISOString() } as const;
  const { windowId } = pullWindows;
  await run(
    orm
      .update(pullWindows)
      .set({ ...failed, errorCode: verdict.errorCode })
      .where(eq(windowId, BigInt(window.windowId))),
  );
}

const revoked: ConnectionFailure = {
  errorType: 'deregistered_per_provider',
  message: 'The provider reports that the user has withdrawn consent.',
};

/** Marks the connection with an error, once, and stops its plan; open windows wait until the user links again. */
export async function stopEnded(
  { clock }: Pick<IngestContext, 'clock'>,
  tx: Tx,
  emit: Emit,
  connectionId: string,
  end = revoked,
): Promise<void> {
  // Lock order as in linking and removing: the connection's row before the plan's.
  const isMarked = await markConnectionErrorInTx(tx, emit, clock, connectionId, end);
  if (isMarked) await stopPlan(tx, connectionId, clock.now());
}

/** Pauses all runs of this connection for this long. */
export async function pauseConnection({ orm }: Tx, connectionId: string, delayMs: number, now: Date): Promise<void> {
  const until = new Date(now.getTime() + delayMs).toISOString();
  const resumeAt = fragment`greatest(${pullPlans.resumeAt}, ${until}::timestamptz)`;
  await run(orm.update(pullPlans).set({ resumeAt }).where(eq(pullPlans.connectionId, connectionId)));
}

/** Stores the verdict on a failed run and all its consequences in one transaction. */
export async function settleFailure(context: IngestContext, pullable: Pullable, window: RunningWindow, verdict: Verdict): Promise<void> {
  if (verdict.kind === 'lost') return;
  const { connectionId } = pullable.connection;
  await withEvents(context.database, async (tx, emit) => {
    const now = context.clock.now();
    // Same order as in planning: the plan's row before its windows.
    if (verdict.kind === 'pause') await pauseConnection(tx, connectionId, verdict.delayMs, now);
    if (verdict.kind === 'wait') await waitForQuota(tx, pullable, window.lane, verdict, now);
    if (verdict.kind === 'stop') await stopPlan(tx, connectionId, now);
    // A rejection of the earlier consent says nothing about one that the user has given in the meantime.
    const hasEnded = verdict.kind === 'revoked' || verdict.kind === 'discontinued';
    if (hasEnded && !(await isLinkedSince(tx, connectionId, window.startedAt)))
      await stopEnded(context, tx, emit, connectionId, verdict.kind === 'discontinued' ? discontinuedFailure(pullable.connector) : revoked);
    await holdWindow(tx, window);
    if (verdict.kind === 'retry') await retryLater(tx, window, verdict, now);
    else if (verdict.kind === 'give_up')
      await endWindow(tx, emit, pullable, window, { state: 'given_up', errorCode: verdict.errorCode }, now);
    else await handBack(tx, window, verdict.kind === 'pause' || verdict.kind === 'wait' ? verdict.errorCode : null);
  });
}
