import { markConnectionErrorInTx } from '@pulsewire/connections';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { textArray, type Tx } from '@pulsewire/database';
import { waitForQuota } from '../session/wait-for-quota.ts';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { isLinkedSince } from '../model/is-linked-since.ts';
import { stopPlan } from '../plan/stop-plan.ts';
import type { RunningWindow } from '../windows/claim-window.ts';
import { cutCodes } from '../model/cut-codes.ts';
import { endWindow } from '../windows/end-window.ts';
import { holdWindow } from '../windows/hold-window.ts';
import type { Verdict } from '../session/judge-failure.ts';

/**
 * Puts a window back as if this run had not been. What goes on where it was cut short is still to be read once more when it was asked
 * for again.
 */
async function handBack({ sql }: Tx, window: RunningWindow, errorCode: string | null): Promise<void> {
  await sql`
    UPDATE pull_windows SET state = 'planned', run_epoch = NULL, attempts = attempts - 1, error_code = coalesce(${errorCode}, error_code),
      is_asked_again = is_asked_again AND coalesce(coalesce(${errorCode}, error_code) = ANY(${textArray(cutCodes)}::text[]), false)
    WHERE window_id = ${window.windowId}`;
}

async function retryLater({ sql }: Tx, window: RunningWindow, verdict: Verdict & { kind: 'retry' }, now: Date): Promise<void> {
  const dueAt = new Date(now.getTime() + verdict.delayMs).toISOString();
  await sql`
    UPDATE pull_windows SET state = 'failed', run_epoch = NULL, is_asked_again = false, due_at = ${dueAt}, finished_at = ${now.toISOString()}, error_code = ${verdict.errorCode}
    WHERE window_id = ${window.windowId}`;
}

/** The connection ends in error, once, and its plan stops with it; open windows wait for the user to link again. */
export async function stopRevoked(context: Pick<IngestContext, 'clock'>, tx: Tx, emit: Emit, connectionId: string): Promise<void> {
  // The connection's row before the plan's, as linking and removing do.
  const isMarked = await markConnectionErrorInTx(tx, emit, context.clock, connectionId, {
    errorType: 'deregistered_per_provider',
    message: 'The provider says that the user has withdrawn the consent.',
  });
  if (isMarked) await stopPlan(tx, connectionId, context.clock.now());
}

/** Nothing of this connection runs for so long. */
export async function pauseConnection({ sql }: Tx, connectionId: string, delayMs: number, now: Date): Promise<void> {
  await sql`UPDATE pull_plans SET resume_at = greatest(resume_at, ${new Date(now.getTime() + delayMs).toISOString()}) WHERE connection_id = ${connectionId}`;
}

/** Writes down what a failed run led to, with everything that follows from it, in one transaction. */
export async function settleFailure(context: IngestContext, pullable: Pullable, window: RunningWindow, verdict: Verdict): Promise<void> {
  if (verdict.kind === 'lost') return;
  const { connectionId } = pullable.connection;
  await withEvents(context.database, async (tx, emit) => {
    const now = context.clock.now();
    // Same order as in planning: the plan's row before its windows.
    if (verdict.kind === 'pause') await pauseConnection(tx, connectionId, verdict.delayMs, now);
    if (verdict.kind === 'wait') await waitForQuota(tx, pullable, window.lane, verdict, now);
    if (verdict.kind === 'stop') await stopPlan(tx, connectionId, now);
    // A refusal of the consent before is no news about the one that the user has given meanwhile.
    const isRevoked = verdict.kind === 'revoked' && !(await isLinkedSince(tx, connectionId, window.startedAt));
    if (isRevoked) await stopRevoked(context, tx, emit, connectionId);
    await holdWindow(tx, window);
    if (verdict.kind === 'retry') await retryLater(tx, window, verdict, now);
    else if (verdict.kind === 'give_up')
      await endWindow(tx, emit, pullable, window, { state: 'given_up', errorCode: verdict.errorCode }, now);
    else await handBack(tx, window, verdict.kind === 'pause' || verdict.kind === 'wait' ? verdict.errorCode : null);
  });
}
