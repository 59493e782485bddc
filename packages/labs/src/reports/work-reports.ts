import { errorCode, sleep, type Logger, type Metrics } from '@pulsewire/kernel';
import type { ReportContext } from './live-user.ts';
import { claimReport, type ClaimedReport } from './claim-report.ts';
import { finishReport, type ReportOutcome } from './finish-report.ts';
import { renewReport } from './renew-report.ts';

/** Parses the files of one report; never throws for a bad file. */
export type ParseReport = (files: readonly Uint8Array[], signal: AbortSignal) => Promise<ReportOutcome>;

export interface ReportWorkerOptions {
  readonly labs: ReportContext;
  readonly parse: ParseReport;
  /** Whether the team lets reports be reviewed; those with doubtful results or unread rows then are. Default: none does. */
  readonly hasHumanReview?: (teamId: string) => Promise<boolean>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long a report stays claimed when its process dies. Renewed while it is parsed. Default 2 minutes. */
  readonly leaseMs?: number;
  /** Default a third of the lease. */
  readonly renewMs?: number;
  /** How long an idle worker waits before it polls again. Default 2 s. */
  readonly idleMs?: number;
}

/** A report whose process died this often is not retried, because the report may be the cause. */
const attemptsMax = 3;

/** Parses a claimed report and renews its lease meanwhile. Stops parsing when the lease was lost. */
async function parseClaimed(options: ReportWorkerOptions, { row, files }: ClaimedReport, leaseMs: number, signal: AbortSignal) {
  const { labs, parse, logger, renewMs = leaseMs / 3 } = options;
  const [done, lost] = [new AbortController(), new AbortController()];
  const renew = async () => {
    for (await sleep(renewMs, done.signal); !done.signal.aborted; await sleep(renewMs, done.signal)) {
      const isMine = await renewReport(labs, row, leaseMs).catch((error: unknown) => {
        // The lease lasts for two more attempts.
        logger.warn({ jobId: row.jobId, errorCode: errorCode(error) }, 'report.renew_failed');
        return true;
      });
      if (!isMine) return lost.abort(new Error('The lease was lost'));
    }
  };
  const renewing = renew();
  try {
    return await parse(files, AbortSignal.any([signal, lost.signal]));
  } finally {
    done.abort();
    await renewing;
  }
}

/** Parses one report that is due. Returns false when there is none. */
export async function workReport(options: ReportWorkerOptions, signal: AbortSignal): Promise<boolean> {
  const { labs, logger, metrics, leaseMs = 120_000, hasHumanReview = async () => false } = options;
  const claimed = await claimReport(labs, leaseMs);
  if (!claimed) return false;
  const { row } = claimed;
  const started = labs.clock.monotonicMs();
  const outcome: ReportOutcome =
    row.attempts > attemptsMax ? { kind: 'failed', reason: 'processing_error' } : await parseClaimed(options, claimed, leaseMs, signal);
  const doubtful = outcome.kind === 'parsed' ? (outcome.doubtful?.length ?? 0) : 0;
  const unread = outcome.kind === 'parsed' ? (outcome.data.unread_row_count ?? 0) : 0;
  const isReviewWanted = doubtful + unread > 0 && (await hasHumanReview(row.teamId));
  const isStored = await finishReport(labs, row, outcome, isReviewWanted);
  const result = outcome.kind === 'parsed' ? 'parsed' : outcome.reason;
  metrics.count('lab_reports_total', { outcome: isStored ? result : 'lease_lost' });
  logger.info(
    { jobId: row.jobId, outcome: result, isStored, doubtful, unread, isReviewWanted, ms: Math.round(labs.clock.monotonicMs() - started) },
    'report.parsed',
  );
  return true;
}

/**
 * Parses reports until the signal aborts. A report in progress is then abandoned and parsed again by another process once its lease
 * expires.
 */
export async function workReports(options: ReportWorkerOptions, signal: AbortSignal): Promise<void> {
  const { logger, idleMs = 2000 } = options;
  while (!signal.aborted) {
    const hasWorked = await workReport(options, signal).catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ errorCode: errorCode(error) }, 'report.work_failed');
      return false;
    });
    if (!hasWorked) await sleep(idleMs, signal);
  }
}
