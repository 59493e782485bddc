import { mayStart } from '../quota/may-start.ts';
import type { IngestContext } from '../context/context.ts';
import { findPullable, type Pullable } from '../context/pullable.ts';
import { acquireLease, type Lease } from '../connection-schedule/lease.ts';
import { pauseSchedule, scheduleNext, setHistoryResume } from '../connection-schedule/due-times.ts';
import { lockSchedule, stopSchedule } from '../connection-schedule/stop-schedule.ts';
import { claimWindows, type RunningWindow } from '../window/claim-window.ts';
import { giveBackUnread } from '../window/leave-window.ts';
import { openSession, type PullSession } from '../session/pull-session.ts';
import { watchForOutage } from './outage.ts';
import { pullWindow } from './pull-window.ts';
import { refreshAccount, type AccountCheck } from './refresh-account.ts';

/** When little quota is left, backfills wait for its reset, so that a live pull never finds it used up. */
async function deferBackfill(context: IngestContext, session: PullSession, connectionId: string): Promise<void> {
  const quota = session.quota();
  if (!quota || quota.remaining > quota.limit * context.settings.liveShare) return;
  await setHistoryResume(context.database, connectionId, new Date(context.clock.now().getTime() + quota.resetAfterMs));
}

/**
 * The result of one run of a connection. `isLiveRead`: at least one live window was run. `isAccountRead`: false when reading the account failed.
 */
interface RunResult {
  readonly windows: number;
  readonly isLiveRead: boolean;
  readonly isAccountRead: boolean;
}

async function runWindows(context: IngestContext, lease: Lease, session: PullSession, pullable: Pullable): Promise<RunResult> {
  const { settings, clock } = context;
  const startedMs = clock.monotonicMs();
  const outage = watchForOutage();
  let current = pullable;
  let accountCheck: AccountCheck = 'unchanged';
  let count = 0;
  let isLiveRead = false;
  let claimed: readonly RunningWindow[] = [];
  try {
    while (count < settings.runWindowsMax && clock.monotonicMs() - startedMs < settings.runTimeMs && !lease.signal.aborted) {
      // Where the account comes first it is checked before each window, because a push may have planned one in the meantime. After one failure,
      // the account is not read again in this run.
      const isChecked = count > 0 && current.connector.readsAccountFirst !== true;
      if (accountCheck !== 'failed') accountCheck = isChecked ? 'unchanged' : await refreshAccount(context, session, current, lease.signal);
      if (accountCheck === 'unknown') break;
      if (accountCheck === 'refreshed') current = (await findPullable(context, context.database, lease.connectionId)) ?? current;
      const max = current.connector.readsAccountFirst === true ? 1 : settings.runWindowsMax - count;
      if (claimed.length === 0) claimed = await claimWindows(context.database, lease, clock.now(), max);
      const [window, ...rest] = claimed;
      claimed = rest;
      if (!window) break;
      count += 1;
      isLiveRead ||= window.lane === 'live';
      const verdict = await pullWindow(context, session, current, window, lease);
      await deferBackfill(context, session, lease.connectionId);
      if (verdict && verdict.kind !== 'retry' && verdict.kind !== 'give_up') break;
      const waitMs = outage.note(window.pull, verdict);
      if (waitMs === null) continue;
      await context.database.transaction((tx) => pauseSchedule(tx, lease.connectionId, 'all', waitMs, clock.now()));
      break;
    }
  } finally {
    await giveBackUnread(context.database, claimed);
  }
  return { windows: count, isLiveRead, isAccountRead: accountCheck !== 'failed' && accountCheck !== 'unknown' };
}

/** Stops the schedule of a connection that may no longer be pulled. Under the schedule's lock, so that a link at the same moment is not undone. */
async function stopUnlessPullable(context: IngestContext, connectionId: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    await lockSchedule(tx, connectionId);
    if (!(await findPullable(context, tx, connectionId))) await stopSchedule(tx, connectionId, context.clock.now());
  });
}

/**
 * Runs a connection: takes its lease, runs its due windows one after the other within the run's bounds, and requests
 * the next run in the transaction that releases the lease. Returns the number of windows run; 0 when another
 * worker holds the connection, which then checks the schedule again when its own run ends.
 */
export async function runConnection(context: IngestContext, connectionId: string, signal: AbortSignal): Promise<number> {
  const lease = await acquireLease(context, connectionId, signal);
  if (!lease) return 0;
  const startedAt = context.clock.now();
  let result: RunResult = { windows: 0, isLiveRead: false, isAccountRead: true };
  try {
    const pullable = await findPullable(context, context.database, connectionId);
    if (!pullable) await stopUnlessPullable(context, connectionId);
    else if (await mayStart(context.database, pullable, startedAt)) {
      const session = openSession(context, pullable);
      result = await runWindows(context, lease, session, pullable);
      session.charge();
      // The end of a consent may show in the account first. A link before the next poll must find the schedule stopped, to read the days since.
      if (!result.isAccountRead) await stopUnlessPullable(context, connectionId);
    }
    return result.windows;
  } finally {
    await lease.release((tx) => scheduleNext(context, tx, connectionId, result.isLiveRead ? startedAt : null));
  }
}
