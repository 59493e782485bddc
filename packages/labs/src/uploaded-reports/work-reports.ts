import type { Logger, Metrics } from '@pulsewire/kernel';
import { createWorkerLoop, retryOrSetAside, type WorkerLoop, type WorkOutcome } from '@pulsewire/database';
import type { ReportContext } from './live-user.ts';
import { claimReport, reportQueue, type ClaimedReport } from './claim-report.ts';
import { finishReport, type ReportOutcome } from './finish-report.ts';

/** Parses the files of one report; never throws for a bad file. */
export type ParseReport = (files: readonly Uint8Array[], signal: AbortSignal) => Promise<ReportOutcome>;

export interface ReportWorkerOptions {
  readonly labs: ReportContext;
  readonly parse: ParseReport;
  /** Whether the team lets reports be reviewed; those with doubtful numbers then are. Default: none does. */
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
/** What fails otherwise, such as the database; the limit above ends it. */
const retry = { attemptsMax: null, backoffMs: 10_000, backoffMaxMs: 120_000 };
/** A parser in progress is hardly ever about to finish. */
const graceMs = 1000;

async function parseClaimed(
  { labs, parse, logger, metrics, hasHumanReview = async () => false }: ReportWorkerOptions,
  { row, files }: ClaimedReport,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const started = labs.clock.monotonicMs();
  const outcome: ReportOutcome = row.attempts > attemptsMax ? { kind: 'failed', reason: 'processing_error' } : await parse(files, signal);
  const doubtful = outcome.kind === 'parsed' ? (outcome.doubtful?.length ?? 0) : 0;
  const isReviewWanted = doubtful > 0 && (await hasHumanReview(row.teamId));
  const isStored = await finishReport(labs, row, outcome, isReviewWanted);
  const result = outcome.kind === 'parsed' ? 'parsed' : outcome.reason;
  metrics.count('lab_reports_total', { outcome: isStored ? result : 'lost' });
  logger.info(
    { jobId: row.jobId, outcome: result, isStored, doubtful, isReviewWanted, ms: Math.round(labs.clock.monotonicMs() - started) },
    'report.parsed',
  );
  if (!isStored) return 'lost';
  return outcome.kind === 'parsed' ? 'done' : 'failed';
}

function createReportWorker(options: ReportWorkerOptions): WorkerLoop {
  const { labs, logger, metrics, leaseMs = 120_000, renewMs = leaseMs / 3, idleMs = 2000 } = options;
  const { database } = labs;
  return createWorkerLoop<ClaimedReport>({
    queue: 'lab_reports',
    logger,
    metrics,
    // A parser is a process of its own, with as much memory as a report may take.
    concurrency: 1,
    pollMs: idleMs,
    leaseMs,
    renewMs,
    graceMs,
    async claim() {
      const claimed = await claimReport(labs, leaseMs);
      return claimed ? [claimed] : [];
    },
    renew: ({ row }) => reportQueue.renew(database, row, leaseMs),
    release: ({ row }) => reportQueue.release(database, row, { isUncounted: true }),
    attempt: (claimed, signal) => parseClaimed(options, claimed, signal),
    settleFailure: ({ row }, error) => retryOrSetAside(reportQueue, database, retry, { row, attempts: row.attempts, error }),
  });
}

/** Parses one report that is due. Returns false when there is none. */
export const workReport = (options: ReportWorkerOptions, signal: AbortSignal): Promise<boolean> =>
  createReportWorker(options).workOne(signal);

/** Parses reports until the signal aborts. A report in progress is then released, and parsed by another process at once. */
export const workReports = (options: ReportWorkerOptions, signal: AbortSignal): Promise<void> => createReportWorker(options).run(signal);
