import { AppError, errorCode, recordSpan, type ErrorCode } from '@pulsewire/kernel';
import { reportConfigurationFault } from '@pulsewire/connections';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { pollEveryMs } from '../model/poll-interval.ts';
import type { RunningWindow } from '../window/claim-window.ts';
import { openDeadline } from '../session/deadline.ts';
import { judgeFailure, pauseMs, type Verdict } from '../session/judge-failure.ts';
import type { Lease } from '../connection-schedule/lease.ts';
import { TokenUnavailableError, type PullSession } from '../session/pull-session.ts';
import { readWindow } from './read-window.ts';
import { wasReadSince, wasReadSinceFailure } from '../window/was-read-since.ts';
import { settleFailure } from './settle-failure.ts';

function tooLate(): AppError {
  return new AppError({
    code: 'window_deadline',
    kind: 'unavailable',
    retryable: true,
    message: 'The window took longer than its deadline',
  });
}

/** Error codes of custody when it has no token and will not get one (`getAccessToken`). */
const deadConnection: ReadonlySet<ReturnType<typeof errorCode>> = new Set<ErrorCode>([
  'provider_consent_revoked',
  'connection_errored',
  'connection_paused',
  'connection_not_found',
]);

/**
 * Whether a window that has failed often may yet be read when its provider has recovered: no other window of its connection was read since its
 * last failure. Days of live windows are planned again by the next poll, so those are given up in any case.
 */
async function mayBeOutage(context: IngestContext, { connection }: Pullable, window: RunningWindow, code: string): Promise<boolean> {
  const isPlannedAgain = window.lane === 'live' && window.objectId === '';
  if (isPlannedAgain || window.attempts < context.settings.attemptsMax) return false;
  // The operator may have to correct what concerns one kind of data only.
  if (code === 'provider_configuration') return true;
  return !(await wasReadSinceFailure(context.database, connection.teamId, window));
}

/** Longer than a poll waits for an hourly quota. */
const quietMs = 6 * 3_600_000;

/**
 * Whether the provider repeats that it has shut down, and nothing else was read for some time: every poll reads other live windows too, unless
 * it is not this window's address alone that is gone.
 */
async function isShutDown(
  context: IngestContext,
  { connection, connector }: Pullable,
  window: RunningWindow,
  code: string,
): Promise<boolean> {
  if (code !== 'provider_discontinued' || window.previousCode !== code) return false;
  const since = new Date(context.clock.now().getTime() - Math.max(quietMs, 2 * pollEveryMs(connector)));
  return !(await wasReadSince(context.database, connection, since));
}

async function judge(
  context: IngestContext,
  pullable: Pullable,
  error: unknown,
  window: RunningWindow,
  isStopping: boolean,
): Promise<Verdict> {
  if (error instanceof TokenUnavailableError && !isStopping) {
    const code = errorCode(error.cause);
    return deadConnection.has(code) ? { kind: 'stop' } : { kind: 'pause', errorCode: code, delayMs: pauseMs(error.cause) };
  }
  return judgeFailure(context.settings, {
    error,
    attempts: window.attempts,
    isStopping,
    mayBeOutage: await mayBeOutage(context, pullable, window, errorCode(error)),
    isShutDown: await isShutDown(context, pullable, window, errorCode(error)),
    random: context.random,
  });
}

/** Runs one claimed window to its end, or records the verdict on its failure; returns that verdict, null when the window is done. */
export async function pullWindow(
  context: IngestContext,
  session: PullSession,
  pullable: Pullable,
  window: RunningWindow,
  lease: Lease,
): Promise<Verdict | null> {
  const { connection, connector } = pullable;
  const startedMs = context.clock.monotonicMs();
  const pull = connector.pulls.find((spec) => spec.name === window.pull);
  const deadline = openDeadline(context.settings.windowDeadlineMs, tooLate());
  const signal = AbortSignal.any([lease.signal, deadline.signal]);
  let verdict: Verdict | null = null;
  try {
    if (!pull) {
      const message = `Pull ${window.pull} is not defined by connector ${connector.slug}`;
      throw new AppError({ code: 'provider_permanent', kind: 'bug', message });
    }
    await session.call(signal, (send) => readWindow(context, { pullable, pull, window, send, signal }), { lane: window.lane, deadline });
  } catch (thrown) {
    // The deadline is the cause, whatever error the aborted call threw.
    const error = deadline.signal.aborted ? deadline.signal.reason : thrown;
    verdict = await judge(context, pullable, error, window, lease.signal.aborted);
    // Custody has reported what it met itself.
    if (!(error instanceof TokenUnavailableError)) reportConfigurationFault(context, connector.slug, error);
    await settleFailure(context, pullable, window, verdict).catch((settling: unknown) => {
      if (errorCode(settling) !== 'window_lost') throw settling;
    });
  } finally {
    deadline.clear();
  }

  const outcome = verdict?.kind ?? 'done';
  const durationMs = Math.round(context.clock.monotonicMs() - startedMs);
  const code = verdict && 'errorCode' in verdict ? verdict.errorCode : undefined;
  context.logger[verdict ? 'warn' : 'info'](
    {
      connectionId: connection.connectionId,
      provider: connector.slug,
      pull: window.pull,
      lane: window.lane,
      startDate: window.startDate,
      endDate: window.endDate,
      attempt: window.attempts,
      traceId: window.traceId,
      outcome,
      errorCode: code,
      durationMs,
    },
    'window.pulled',
  );
  recordSpan({
    name: 'pull window',
    traceId: window.traceId,
    isRoot: true,
    durationMs,
    isFailed: verdict !== null,
    attributes: { provider: connector.slug, pull: window.pull, lane: window.lane, outcome },
  });
  context.metrics.count('ingest_windows_total', { provider: connector.slug, lane: window.lane, outcome });
  context.metrics.observe('ingest_window_seconds', durationMs / 1000, { provider: connector.slug, lane: window.lane });
  return verdict;
}
